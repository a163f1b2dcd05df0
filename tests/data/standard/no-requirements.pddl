; optimum 1
; warns W0102
(define (problem one-lamp)
  (:domain lamps)
  (:objects l1 - lamp s1 - switch)
  (:init (wired s1 l1) (= (total-cost) 0))
  (:goal (lit l1))
  (:metric minimize (total-cost)))
