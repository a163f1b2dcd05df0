; A number with a thousand million values.
(define (domain oven)
  (:requirements :bounded-numbers)
  (:functions (heat) - (int 0 1000000000))
  (:action warm
    :effect (increase (heat) 1)))

(define (problem oven-1)
  (:domain oven)
  (:goal (= (heat) 7)))
