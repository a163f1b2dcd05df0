(define (problem breakfast)
  (:domain kitchen)
  (:goal (clean cup) (clean plate))
  (:metric (total-cost)))
