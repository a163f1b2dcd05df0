(define (domain kitchen)
  (:requirements :typing :multi-agent)
  (:types cook food)
  (:predicates (reaches-hob ?c - cook) (fried ?x - food))
  (:action fry
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (reaches-hob ?c)
    :effect (fried ?x)))

(define (problem two-cooks)
  (:domain kitchen)
  (:objects chef helper - cook egg - food)
  (:init (reaches-hob chef))
  (:goal (fried egg)))
