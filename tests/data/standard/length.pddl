; optimum 2
; warns W0010
(define (problem three-fields)
  (:domain sokoban-like)
  (:objects a-1 a_2 3a)
  (:init (at a-1) (next a-1 a_2) (next a_2 3a))
  (:goal (at 3a))
  (:length (:serial 2) (:parallel 2)))
