(define (domain kitchen)
  (:predicates (clean ?x)))
  (:action wash
    :parameters (?x)
    :efect (clean ?x)))
