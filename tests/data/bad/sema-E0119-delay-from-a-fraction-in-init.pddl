; The delay is whole as it is written; the value that it reads is not.
(define (domain slow)
  (:requirements :delayed-effects :numeric-fluents)
  (:predicates (done ?x))
  (:functions (time ?x) - number)
  (:action bake
    :parameters (?x)
    :effect (after (+ 1 (time ?x)) (done ?x))))

(define (problem slow-1)
  (:domain slow)
  (:objects cake bread)
  (:init (= (time bread) 3) (= (time cake) 2.5))
  (:goal (done cake)))
