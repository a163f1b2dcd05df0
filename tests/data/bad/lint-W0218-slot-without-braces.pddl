; The label of every action would be `heat(?p)`.
(define (domain heat)
  (:requirements :typing :text)
  (:types pot)
  (:predicates (hot ?p - pot :text "?p is hot?"))
  (:action heat
    :parameters (?p - pot)
    :label "heat(?p)"
    :text "heat {?p}: is ?po, and ?, meant?"
    :precondition (else "?p is hot already" (not (hot ?p)))
    :effect (hot ?p)))
