; optimum 2
; warns W0106
(define (problem cook)
  (:domain cook)
  (:objects cook - cook dish - dish)
  (:init)
  (:goal (cook dish)))
