(define (domain kitchen)
  (:requirements :typing)
  (:types item)
  (:constants salt - item)
  (:predicates (used ?i - item))
  (:action season
    :parameters (?i - item)
    :effect (and (used ?i) (used slat) (used egg) (used i))))

(define (problem omelette)
  (:domain kitchen)
  (:objects egg - item)
  (:init (used egg))
  (:goal (used pan)))
