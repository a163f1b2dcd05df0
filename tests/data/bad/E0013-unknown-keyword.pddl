(define (domain kitchen)
  (:predicates (clean ?x))
  (:action wash
    :paramters (?x)
    :when (clean ?x)
    :effect (clean ?x)))
