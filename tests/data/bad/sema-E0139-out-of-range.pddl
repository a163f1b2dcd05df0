(define (domain kitchen)
  (:requirements :bounded-numbers)
  (:functions (heat) - (int 0 9))
  (:action warm :parameters () :effect (increase (heat) 1)))

(define (problem lunch)
  (:domain kitchen)
  (:init (= (heat) 10))
  (:goal (= (heat) 9)))
