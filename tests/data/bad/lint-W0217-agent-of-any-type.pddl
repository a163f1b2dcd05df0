(define (domain kitchen)
  (:requirements :typing :multi-agent)
  (:types cook pan)
  (:predicates (hot ?p - pan) (clean ?p - pan))
  (:action heat
    :agent ?c
    :parameters (?p - pan)
    :effect (hot ?p))
  (:action wash
    :agent ?who
    :parameters (?p - pan)
    :precondition (hot ?p)
    :effect (and (clean ?p) (not (hot ?p)))))
