(define (domain kitchen)
  (:predicates (clean ?x))
  (:action wash
    :parameters (?x)
    :precondition
    :effect (clean ?x)))
