(define (domain garden)
  (:requirements :events)
  (:predicates (wet))
  (:event early-literals :effect (wet)))

(define (problem noon)
  (:domain garden)
  (:goal (wet)))
