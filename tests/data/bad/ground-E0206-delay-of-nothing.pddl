; For the cake no time is given: 0.
(define (domain slow)
  (:requirements :delayed-effects :numeric-fluents)
  (:predicates (done ?x))
  (:functions (time ?x) - number)
  (:action bake
    :parameters (?x)
    :effect (after (time ?x) (done ?x))))

(define (problem slow-1)
  (:domain slow)
  (:objects cake bread)
  (:init (= (time bread) 3))
  (:goal (done cake)))
