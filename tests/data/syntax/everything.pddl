; Every construct of a domain, for the reader and the printer.
(define (domain everything)
  (:requirements
    :strips :typing :adl :action-costs :durative-actions :timed-initial-literals
    :derived-predicates :multi-agent :delayed-effects :sequential-effects :events :options
    :object-fluents :bounded-numbers :aggregates :horizon :text :partial-observability :nature)
  (:semantics clean upstream)
  (:turns alternate :order any)
  (:wait :most 20)
  (:wait :most 5 :semantics upstream)
  (:wait none - cook)
  (:role rat nature)
  (:live-effects set)
  (:live-effects list-skipping :semantics upstream)
  (:tick timers timed-literals spoil)
  (:types
    cook place item - object
    stove board - place
    vegetable meat - item
    food - (either vegetable meat))
  (:constants fridge - place salt)
  (:predicates
    (at ?c - cook ?p - place)
    (on ?i - item ?p - place :text ?i "{?i} is on {?p}" :text ?p "{?p} has {?i} on top of all that is there")
    (cooking ?i - item) (cooked ?i - item)
    (ready :text "all is {{ready}}" :observable-by (?v - cook) (exists (?p - place) (at ?v ?p)))
    (either-way ?x - (either item place)))
  (:functions
    (total-cost) - number
    (held ?c - cook :text "{?c} holds {(held ?c)}" :text ?c "{?c} is not free") - item
    (heat ?s - stove) (level ?s - stove) - (int 0 60)
    (distance ?a ?b - place))
  (:transient (wants ?c - cook) (target ?c - cook) - place)
  (:facts (on salt fridge) (not (ready)) (= (distance fridge fridge) 0))
  (:derived (busy ?c - cook) (exists (?i - item) (= (held ?c) ?i)))

  (:action plain
    :parameters (?x ?y - item)
    :precondition ()
    :effect (and))

  (:action cook
    :agent ?c - cook
    :parameters (?i - item ?s - stove)
    :precondition (and (at ?c ?s) (else "not {?i} on {?s}, but {(held ?c)} {{}}" (on ?i ?s))
      (else code-7 (not (cooking ?i))) (or (ready) (imply (ready) (semantics clean)))
      (forall (?j - item) (>= (heat ?s) (+ 1 (* 2 (level ?s)) (- 3) (- 4 5) (/ 6 2)))))
    :effect (maintain (on ?i ?s) (cooking ?i)
              (after 4 (and (cooked ?i) (not (cooking ?i)))))
    :label "cook({?i})" :text "cook \"{?i}\" on {?s}\n\\")

  (:action tricks
    :agent ?c - cook
    :parameters (?s - stove)
    :observable-by (?v - cook) (not (= ?v ?c))
    :weight (+ 1 (heat ?s))
    :precondition (< (count (?i - item) (on ?i ?s)) (min (abs (- 1.5)) (max 2 3)))
    :effect (seq
      (after 2 :while (ready) (ready))
      (after (heat ?s) :until (not (ready)) (ready))
      (on-nth 3 (increase (heat ?s) 1))
      (maintain (ready) (not (ready)))
      (for-each (?p - place) :by (distance ?p fridge) (decrease (heat ?s) 1))
      (for-each (?p - place) (scale-up (heat ?s) 2))
      (let ((?p (argmin (?q - place) (ready) (distance ?s ?q) :ties (distance ?q ?q))))
        (assign (target ?c) ?p)
        :else (log "nowhere to go"))
      (case ((ready) (scale-down (heat ?s) 2)) ((not (ready)) (do (plain salt salt))) (else (and)))
      (forall (?i - item) (when (cooked ?i) (not (on ?i ?s)))))
    :label none)

  (:action step :agent ?c - cook :parameters (?p - place) :effect (at ?c ?p) :primitive)

  (:option fetch
    :agent ?c - cook
    :parameters (?i - item)
    :precondition (ready)
    :let ((?p (argmax (?q - place) (on ?i ?q) (distance ?q fridge))) (?r ?p))
    :policy (case ((at ?c ?p) (do (plain ?i ?i))) (else (do (step ?p))))
    :until (= (held ?c) ?i)
    :else (log "{?i} is gone")
    :label "fetch({?i})")

  (:durative-action wash
    :agent ?c - cook
    :parameters (?i - item)
    :duration (= ?duration (+ 2 3))
    :condition (and (at start (ready)) (over all (at ?c fridge)) (at end (not (cooked ?i))))
    :effect (and (at start (not (ready))) (at end (and (ready) (increase (total-cost) 2)))))

  (:event spoil
    :parameters (?i - item)
    :precondition (cooked ?i)
    :effect (not (cooked ?i)))

  (:fail (exists (?i ?j - item) (and (cooked ?i) (= ?i ?j))))
  (:end (ready))

  (:layout
    (draw (?c - cook ?p - place) ?c ?p :when (at ?c ?p))
    (draw (?s - stove) "{(heat ?s)} of 9" ?s fridge)
    (draw (?c - cook) (held ?c) ?c)
    (face salt north :when (and (ready) (ready)))))
