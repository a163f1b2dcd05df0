; optimum 3
; warns W0103
(define (problem stack-1)
  (:domain stack)
  (:objects c1 c2 - crate p - pallet yard - area both - (either crate pallet))
  (:init (on c1 c2) (clear c1) (on c2 p))
  (:goal (and (clear p) (on c2 yard))))
