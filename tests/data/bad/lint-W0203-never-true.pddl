; The pantry is never filled; the goal does not need it.
(define (domain snack)
  (:requirements :typing)
  (:types food)
  (:predicates (stocked ?x - food) (taken ?x - food) (served ?x - food))
  (:action take
    :parameters (?x - food)
    :precondition (stocked ?x)
    :effect (and (taken ?x) (not (stocked ?x))))
  (:action order
    :parameters (?x - food)
    :effect (served ?x)))

(define (problem hungry)
  (:domain snack)
  (:objects apple - food)
  (:init)
  (:goal (served apple)))
