; optimum 2
(define (problem paint-1)
  (:domain paint)
  (:objects a b - block)
  (:init (has a red) (has b blue))
  (:goal (done)))
