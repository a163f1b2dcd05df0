(define (domain kitchen)
  (:requirements :typing :equality)
  (:types cook food)
  (:constants chef helper - cook)
  (:predicates (reaches-pantry ?c - cook) (has ?c - cook ?x - food) (fried ?x - food))
  (:action fetch
    :parameters (?c - cook ?x - food)
    :precondition (reaches-pantry ?c)
    :effect (has ?c ?x))
  (:action fry
    :parameters (?c - cook ?x - food)
    :precondition (and (= ?c chef) (has ?c ?x))
    :effect (fried ?x)))

(define (problem supper)
  (:domain kitchen)
  (:objects egg - food)
  (:init (reaches-pantry helper))
  (:goal (has helper egg)))
