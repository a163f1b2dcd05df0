; Nobody switches the oven on; the goal does not need it.
(define (domain snack)
  (:requirements :typing)
  (:types food)
  (:predicates (oven-on) (roasted ?x - food) (served ?x - food))
  (:action roast
    :parameters (?x - food)
    :precondition (oven-on)
    :effect (roasted ?x))
  (:action serve
    :parameters (?x - food)
    :effect (served ?x)))

(define (problem hungry)
  (:domain snack)
  (:objects apple - food)
  (:init)
  (:goal (served apple)))
