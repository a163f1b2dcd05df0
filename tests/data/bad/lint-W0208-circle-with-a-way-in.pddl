; Plates become dirty when they are used, and clean when they are washed. None is there at the start.
(define (domain dishes)
  (:requirements :typing)
  (:types dish plate)
  (:predicates (clean ?p - plate) (dirty ?p - plate) (served ?d - dish))
  (:action serve
    :parameters (?d - dish ?p - plate)
    :precondition (clean ?p)
    :effect (and (served ?d) (dirty ?p) (not (clean ?p))))
  (:action wash
    :parameters (?p - plate)
    :precondition (dirty ?p)
    :effect (and (clean ?p) (not (dirty ?p)))))

(define (problem one-dish)
  (:domain dishes)
  (:objects soup - dish plate1 - plate)
  (:init)
  (:goal (served soup)))
