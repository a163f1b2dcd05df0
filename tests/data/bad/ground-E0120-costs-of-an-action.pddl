; The price times the weight has 21 digits.
(define (domain freight)
  (:requirements :action-costs)
  (:predicates (sent ?x))
  (:functions (price ?x) (weight ?x) (total-cost))
  (:action send
    :parameters (?x)
    :effect (and (sent ?x) (increase (total-cost) (* (price ?x) (weight ?x))))))

(define (problem freight-1)
  (:domain freight)
  (:objects letter anvil)
  (:init (= (price letter) 2) (= (weight letter) 1)
         (= (price anvil) 999999999999999) (= (weight anvil) 999999) (= (total-cost) 0))
  (:goal (sent anvil))
  (:metric minimize (total-cost)))
