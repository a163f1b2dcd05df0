(define (problem breakfast)
  (:domain kitchen)
  (:init (= (heat) 1234567890123456) (= (cold) 0.0001))
  (:goal (clean cup)))
