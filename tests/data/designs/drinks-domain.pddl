; Cooks, a stove and a cupboard: of a few lines, yet things take time and not every cook knows all.
(define (domain drinks)
  (:requirements :typing :multi-agent :durative-actions :delayed-effects :negative-preconditions
                 :text :partial-observability)
  (:turns simultaneous)
  (:types cook drink leaf)
  (:predicates
    (lit :text "the stove is lit")
    (hot :text "the water is hot")
    (at-hand ?l - leaf :text "{?l} is at hand")
    (poured ?d - drink :text "{?d} is poured")
    (knows-recipes ?c - cook)
    (made-of ?d - drink ?l - leaf
      :text "{?d} is made of {?l}"
      :observable-by (?v - cook) (knows-recipes ?v)))

  (:action light
    :agent ?c - cook
    :precondition (else "the stove is lit already" (not (lit)))
    :effect (and (lit) (after 2 (hot)))
    :label "light()"
    :text "light the stove")

  (:durative-action bring
    :agent ?c - cook
    :parameters (?l - leaf)
    :duration (= ?duration 2)
    :condition (at start (else "{?l} is at hand already" (not (at-hand ?l))))
    :effect (at end (at-hand ?l))
    :label "bring({?l})"
    :text "bring {?l}")

  (:action pour
    :agent ?c - cook
    :parameters (?d - drink ?l - leaf)
    :precondition (and (made-of ?d ?l)
                       (else "the water is cold" (hot))
                       (else "{?l} is not at hand" (at-hand ?l)))
    :effect (poured ?d)
    :label "pour({?d})"
    :text "pour {?d}"))
