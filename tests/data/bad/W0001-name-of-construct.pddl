(define (domain kitchen)
  (:requirements :text)
  (:predicates (log ?x)))
