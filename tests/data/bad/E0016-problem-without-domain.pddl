(define (problem breakfast)
  (:objects cup)
  (:goal (clean cup)))
