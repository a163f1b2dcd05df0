(define (domain kitchen)
  (:requirements :typing :multi-agent :partial-observability)
  (:types cook dish)
  (:predicates (clean ?x - dish))
  (:action wash
    :agent ?c - cook
    :parameters (?x - dish)
    :effect (clean ?x)
    :observable-by (clean ?x)))
