; Nobody ever locks the door: to ask whether it is locked tells nothing.
(define (domain boil)
  (:requirements :typing :negative-preconditions)
  (:types food)
  (:predicates (locked) (boiled ?x - food))
  (:action boil
    :parameters (?x - food)
    :precondition (not (locked))
    :effect (boiled ?x)))

(define (problem egg)
  (:domain boil)
  (:objects egg - food)
  (:init)
  (:goal (boiled egg)))
