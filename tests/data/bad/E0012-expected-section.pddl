(define (domain kitchen)
  :requirements
  (:predicates (clean ?x))
  (action wash))
