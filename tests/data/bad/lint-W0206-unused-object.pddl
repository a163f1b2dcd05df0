; Nothing boils stones, and a pan is not a pot.
(define (domain boil)
  (:requirements :typing)
  (:types food utensil)
  (:predicates (pot ?u - utensil) (pan ?u - utensil) (edible ?x - food) (boiled ?x - food))
  (:action boil
    :parameters (?x - food ?u - utensil)
    :precondition (and (pot ?u) (edible ?x))
    :effect (boiled ?x)))

(define (problem supper)
  (:domain boil)
  (:objects egg stone pebble - food pot1 pan1 - utensil)
  (:init (pot pot1) (pan pan1) (edible egg))
  (:goal (boiled egg)))
