; What no planner can ground, a check refuses.
(define (domain slow)
  (:requirements :delayed-effects :numeric-fluents)
  (:predicates (done ?x) (hard ?x))
  (:functions (time ?x) - number (hardening ?x) - number)
  (:action bake
    :parameters (?x)
    :effect (after (+ (time ?x) (hardening ?x) (time ?x)) (done ?x))))

(define (problem slow-1)
  (:domain slow)
  (:objects cake bread)
  (:init (= (time bread) 3) (= (hardening bread) 1) (= (hardening cake) 4) (= (time cake) -2))
  (:goal (done cake)))
