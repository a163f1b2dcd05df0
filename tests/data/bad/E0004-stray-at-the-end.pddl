(define (domain kitchen)
  (:predicates (clean ?x))))
