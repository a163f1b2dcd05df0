; The kitchen burns before anybody has come.
(define (domain boil)
  (:requirements :typing :negative-preconditions :existential-preconditions :conditional-effects
    :horizon)
  (:types food)
  (:predicates (burnt ?x - food) (boiled ?x - food))
  (:action boil
    :parameters (?x - food)
    :effect (and (when (boiled ?x) (burnt ?x)) (boiled ?x)))
  (:fail (exists (?x - food) (burnt ?x))))

(define (problem egg)
  (:domain boil)
  (:objects egg corn - food)
  (:init (burnt corn))
  (:horizon 9)
  (:goal (boiled egg)))
