; Two conditions of one precondition deny each other.
(define (domain boil)
  (:requirements :typing :negative-preconditions)
  (:types food)
  (:predicates (lit) (raw ?x - food) (boiled ?x - food))
  (:action light
    :effect (lit))
  (:action snuff
    :effect (not (lit)))
  (:action boil
    :parameters (?x - food)
    :precondition (and (raw ?x) (lit) (not (lit)))
    :effect (boiled ?x)))
