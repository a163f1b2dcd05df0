(define (domain kitchen)
  (:predicates (clean ?x) (wet ?x))
  (:action wash
    :parameters (?x)
    :precondition (and (wet ?x)) (not (clean ?x)))
    :effect (clean ?x)))
