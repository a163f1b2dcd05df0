(define (domain d)
  (:requirements :negative-preconditions)
  (:predicates (Not) (or ?x) (p))
  (:action a
    :parameters (?x)
    :precondition (not (or ?x))
    :effect (p)))
