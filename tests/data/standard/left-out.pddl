; optimum 3
(define (problem left-out-1)
  (:domain left-out)
  (:objects)
  (:init)
  (:goal (and (r) (and) ())))
