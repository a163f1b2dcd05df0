; The oven is never switched on: neither roasting nor baking ever happens, and the goal needs neither.
(define (domain bake)
  (:requirements :typing)
  (:types food)
  (:predicates (raw ?x - food) (boiled ?x - food) (oven-on) (roasted ?x - food) (baked ?x - food))
  (:action boil
    :parameters (?x - food)
    :precondition (raw ?x)
    :effect (boiled ?x))
  (:action roast
    :parameters (?x - food)
    :precondition (and (raw ?x) (oven-on))
    :effect (roasted ?x))
  (:action bake
    :parameters (?x - food)
    :precondition (and (raw ?x) (oven-on))
    :effect (baked ?x)))

(define (problem egg)
  (:domain bake)
  (:objects egg - food)
  (:init (raw egg))
  (:goal (boiled egg)))
