(define (domian kitchen)
  (:predicates (clean ?x)))
