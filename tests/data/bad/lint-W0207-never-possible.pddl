; What the helper puts down on the shelf, the chef cannot pick up from the table.
(define (domain hand-over)
  (:requirements :typing)
  (:types food place)
  (:constants shelf table - place)
  (:predicates (at-hand ?x - food) (on ?x - food ?p - place) (held ?x - food) (fried ?x - food)
               (served ?x - food))
  (:action put
    :parameters (?x - food)
    :precondition (at-hand ?x)
    :effect (and (on ?x shelf) (not (at-hand ?x))))
  (:action pick
    :parameters (?x - food)
    :precondition (on ?x table)
    :effect (and (held ?x) (not (on ?x table))))
  (:action fry
    :parameters (?x - food)
    :precondition (held ?x)
    :effect (fried ?x))
  (:action serve
    :parameters (?x - food)
    :precondition (on ?x shelf)
    :effect (served ?x)))

(define (problem supper)
  (:domain hand-over)
  (:objects egg - food)
  (:init (at-hand egg))
  (:goal (served egg)))
