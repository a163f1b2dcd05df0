; optimum 2
; warns W0102
(define (problem swap)
  (:domain stack)
  (:objects a b - block)
  (:init (on a b) (on b table) (clear a) (clear table))
  (:goal (on b a)))
