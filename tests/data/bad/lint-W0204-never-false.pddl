; The hob is taken and never given back.
(define (domain boil)
  (:requirements :typing :negative-preconditions)
  (:types food)
  (:predicates (hob-taken) (boiled ?x - food))
  (:action boil
    :parameters (?x - food)
    :precondition (not (hob-taken))
    :effect (and (hob-taken) (boiled ?x))))

(define (problem two-eggs)
  (:domain boil)
  (:objects egg corn - food)
  (:init)
  (:goal (and (boiled egg) (boiled corn))))
