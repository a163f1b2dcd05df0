; The pantry is empty, so there is nothing to begin with.
(define (domain pantry)
  (:requirements :horizon :typing :multi-agent)
  (:types cook food)
  (:predicates (in-pantry ?x - food) (held ?c - cook ?x - food) (served ?x - food))
  (:action fetch
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (in-pantry ?x)
    :effect (and (held ?c ?x) (not (in-pantry ?x))))
  (:action serve
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (held ?c ?x)
    :effect (served ?x)))

(define (problem lunch)
  (:domain pantry)
  (:objects chef helper - cook soup - food)
  (:init)
  (:horizon 5))
