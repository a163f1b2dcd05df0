; optimum 2.5
(define (problem walk-1)
  (:domain walk)
  (:objects a b c - place)
  (:init (at a) (= (length a b) 1.25) (= (length b c) 1.250) (= (length a c) 10.0)
         (= (length b a) 0.5) (= (length c a) 1) (= (length c b) 1) (= (length a a) 0)
         (= (length b b) 0) (= (length c c) 0) (= (total-cost) 0))
  (:goal (at c))
  (:metric minimize (total-cost)))
