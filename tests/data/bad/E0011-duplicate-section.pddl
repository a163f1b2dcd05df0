(define (domain kitchen)
  (:predicates (clean ?x))
  (:predicates (wet ?x)))
