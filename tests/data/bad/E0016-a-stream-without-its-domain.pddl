(define (stream late-guests)
  (:objects dora - guest)
  (:goal (fed dora))
  (:init (at 5 (here dora))))
