; The kitchens of CuisineWorld, the benchmark of MindAgent: one to four cooks, orders that come in by
; the clock and lapse, tools that run on by themselves.
;
; Each cook gives one command a step, one cook after another, and each sees what those before it have
; done. A cook walks anywhere in one step. It takes an ingredient from the storage, puts it into a
; tool, starts the tool once what lies in it is a recipe, takes the product when the tool has run, and
; puts dishes on the table. At the end of the step tools run down, orders whose time is up are struck
; off, dishes on the table are served to those that wait, and new orders come in.
;
; The names of refusals are the categories of the published engine. Under `upstream` the count of
; failed orders and the storage are as there. docs/reference/systems/cuisineworld.md is the guide.

(define (domain cuisineworld)
  (:requirements :adl :multi-agent :object-fluents :numeric-fluents :bounded-numbers :aggregates
                 :events :timed-initial-literals :horizon :derived-predicates :text)
  (:semantics clean upstream)

  (:types
    cook place item kind order - object
    storage table tool - place
    ingredient product - item
    dish - product)

  (:constants
    pork beef tuna salmon lamb chicken turkey egg duck lobster pepperoni potato carrot onion lettuce
    tomato cucumber leek broccoli flour rice pasta dough cheese seaweedSheet bread tortilla
    - ingredient
    chopboard blender pan fryer mixer pot steamer oven - kind)

  (:predicates
    (stocked ?x - ingredient)  ; recipes of this kitchen call for it
    (open-topped ?k - kind)    ; what was put in can be taken out as it is
    (needs ?x - product ?y - item :text "{?x} needs {?y}")
    (in ?t - tool ?x - item :text "{?t} holds {?x}")
    (done ?t - tool)  ; it was started, and not emptied since
    (waiting ?o - order)
    (overdue ?o - order)  ; its time is up: it cannot be served any more
    ; what is derived to be told
    (ordered ?o - order ?x - dish
      :text "{?o} is for {?x}, to be on the table before tick {(due ?o)}"))

  (:functions
    (at ?c - cook :text "{?c} is at {(at ?c)}") - place
    (holds ?c - cook :text "{?c} holds {(holds ?c)}") - item
    (busy ?t - tool :text "{?t} is busy for {(busy ?t)} more steps") - (int 0 3)
    (on-table ?x - dish :text "{(on-table ?x)} of {?x} on the table") - (int 0 60)
    (made-in ?x - product :text "{?x} is made in a {(made-in ?x)}") - kind
    (kind-of ?t - tool
      :text "{?t} is a {(kind-of ?t)}: it runs for {(lasts (kind-of ?t))} steps, and has room for {(capacity (kind-of ?t))}") - kind
    (lasts ?k - kind) - number
    (capacity ?k - kind) - number
    (wants ?o - order) - dish
    (due ?o - order) - number
    (completed) - number
    (failed) - number)

  (:derived (ordered ?o - order ?x - dish) (and (waiting ?o) (= (wants ?o) ?x)))

  ; ---- Moving things ----

  (:action goto
    :agent ?c - cook
    :parameters (?p - place)
    :effect (assign (at ?c) ?p)
    :label "goto({?p})"
    :text "go to {?p}")

  (:action fetch
    :agent ?c - cook
    :parameters (?x - item ?s - storage)
    :precondition (and (else not_at_location (= (at ?c) ?s))
                       (else not_base_ingredient
                         (exists (?i - ingredient)
                           (and (= ?i ?x) (or (stocked ?i) (semantics upstream)))))
                       (else get_hands_full (= (holds ?c) undefined)))
    :effect (assign (holds ?c) ?x)
    :label "get({?x}, {?s})"
    :text "get {?x} from {?s}")

  ; From a storage an ingredient is to be named, and from a table nothing is taken back.
  (:action take
    :agent ?c - cook
    :parameters (?t - place)
    :precondition (and (else not_at_location (= (at ?c) ?t))
                       (else not_pickable
                         (or (done ?t)
                             (open-topped (kind-of ?t))
                             (exists (?s - storage) (= ?s ?t))))
                       (else get_hands_full (= (holds ?c) undefined))
                       (else not_base_ingredient (exists (?u - tool) (= ?u ?t)))
                       (else get_tool_busy (= (busy ?t) 0))
                       (else get_from_empty (exists (?x - item) (in ?t ?x)))
                       (= (count (?x - item) (in ?t ?x)) 1))
    :effect (and (forall (?x - item)
                   (when (in ?t ?x) (and (assign (holds ?c) ?x) (not (in ?t ?x)))))
                 (not (done ?t)))
    :label "get({?t})"
    :text "get what is in {?t}")

  ; What goes in must lead to a recipe together with what is there. A second one of the same is
  ; accepted, and gone.
  (:action put
    :agent ?c - cook
    :parameters (?t - tool)
    :precondition (and (else not_at_location (= (at ?c) ?t))
                       (else put_hands_empty (not (= (holds ?c) undefined)))
                       (else put_tool_busy (= (busy ?t) 0))
                       (else put_would_waste
                         (or (in ?t (holds ?c))
                             (exists (?r - product)
                               (and (= (made-in ?r) (kind-of ?t))
                                    (needs ?r (holds ?c))
                                    (forall (?x - item) (imply (in ?t ?x) (needs ?r ?x)))))))
                       (else tool_full
                         (or (in ?t (holds ?c))
                             (< (count (?x - item) (in ?t ?x)) (capacity (kind-of ?t))))))
    :effect (and (forall (?x - item)
                   (when (and (= (holds ?c) ?x)
                              (exists (?r - product)
                                (and (= (made-in ?r) (kind-of ?t)) (needs ?r ?x))))
                     (in ?t ?x)))
                 (assign (holds ?c) undefined))
    :label "put({?t})"
    :text "put what you hold into {?t}")

  (:action discard
    :agent ?c - cook
    :parameters (?s - storage)
    :precondition (and (else not_at_location (= (at ?c) ?s))
                       (else put_hands_empty (not (= (holds ?c) undefined))))
    :effect (assign (holds ?c) undefined)
    :label "put({?s})"
    :text "throw what you hold away in {?s}")

  ; Also a dish that nobody ordered yet: it is there for the next order.
  (:action dish-up
    :agent ?c - cook
    :parameters (?t - table)
    :precondition (and (else not_at_location (= (at ?c) ?t))
                       (else put_hands_empty (not (= (holds ?c) undefined)))
                       (else not_a_level_dish (exists (?d - dish) (= ?d (holds ?c)))))
    :effect (and (increase (on-table (holds ?c)) 1) (assign (holds ?c) undefined))
    :label "put({?t})"
    :text "put what you hold on {?t}")

  ; ---- Making things ----

  (:action activate
    :agent ?c - cook
    :parameters (?t - place)
    :precondition (and (else not_at_location (= (at ?c) ?t))
                       (else activate_hands_full (= (holds ?c) undefined))
                       (else activate_tool_busy (= (busy ?t) 0))
                       (else activate_empty (exists (?x - item) (in ?t ?x)))
                       (else activate_would_waste
                         (exists (?r - product)
                           (and (= (made-in ?r) (kind-of ?t))
                                (forall (?x - item)
                                  (and (imply (in ?t ?x) (needs ?r ?x))
                                       (imply (needs ?r ?x) (in ?t ?x))))))))
    :effect (and (forall (?x - item) (not (in ?t ?x)))
                 (forall (?r - product)
                   (when (and (= (made-in ?r) (kind-of ?t))
                              (forall (?x - item)
                                (and (imply (in ?t ?x) (needs ?r ?x))
                                     (imply (needs ?r ?x) (in ?t ?x)))))
                     (in ?t ?r)))
                 (done ?t)
                 (increase (busy ?t) (lasts (kind-of ?t))))
    :label "activate({?t})"
    :text "activate {?t}")

  ; ---- The end of a step ----

  (:event run-down
    :parameters (?t - tool)
    :precondition (> (busy ?t) 0)
    :effect (decrease (busy ?t) 1))

  ; The published engine counts orders that lapse in one step as one.
  (:event count-lapse
    :precondition (and (semantics upstream) (exists (?o - order) (and (waiting ?o) (overdue ?o))))
    :effect (increase (failed) 1))

  (:event lapse
    :parameters (?o - order)
    :precondition (and (waiting ?o) (overdue ?o))
    :effect (and (not (waiting ?o)) (when (semantics clean) (increase (failed) 1))))

  ; What lies on the table goes to the orders for it that are due first.
  (:event serve
    :parameters (?o - order)
    :precondition (and (waiting ?o)
                       (< (count (?p - order)
                            (and (waiting ?p) (= (wants ?p) (wants ?o)) (< (due ?p) (due ?o))))
                          (on-table (wants ?o))))
    :effect (and (not (waiting ?o)) (decrease (on-table (wants ?o)) 1) (increase (completed) 1)))

  (:tick timers run-down count-lapse lapse serve timed-literals)

  (:facts
    (open-topped chopboard)
    (= (lasts chopboard) 1) (= (capacity chopboard) 1)
    (= (lasts blender) 2) (= (capacity blender) 5)
    (= (lasts pan) 2) (= (capacity pan) 5)
    (= (lasts fryer) 2) (= (capacity fryer) 5)
    (= (lasts mixer) 0) (= (capacity mixer) 5)
    (= (lasts pot) 3) (= (capacity pot) 5)
    (= (lasts steamer) 3) (= (capacity steamer) 5)
    (= (lasts oven) 3) (= (capacity oven) 5)))
