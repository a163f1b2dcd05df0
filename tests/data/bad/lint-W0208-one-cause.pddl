; Three dishes, and one reason that none of them is served: no plate is there.
(define (domain service)
  (:requirements :typing)
  (:types dish plate)
  (:predicates (clean ?p - plate) (plated ?d - dish) (served ?d - dish))
  (:action plate-up
    :parameters (?d - dish ?p - plate)
    :precondition (clean ?p)
    :effect (and (plated ?d) (not (clean ?p))))
  (:action serve
    :parameters (?d - dish)
    :precondition (plated ?d)
    :effect (served ?d)))

(define (problem three-dishes)
  (:domain service)
  (:objects soup stew salad - dish plate1 - plate)
  (:init)
  (:goal (and (served soup) (served stew) (served salad))))
