(define (problem lunch)
  (:domain kitchen)
  (:init)
  (:goal))
