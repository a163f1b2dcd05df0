(define (domain kitchen)
  (:requirements :typing)
  (:types item)
  (:predicates (clean ?i - item))
  (:action wash
    :parameters (?i - item)
    :precondition (and (dirty ?i) (item ?i))
    :effect (claen ?i)))

(define (problem dishes)
  (:domain kitchen)
  (:objects plate - item)
  (:init (dirty plate))
  (:goal (clena plate)))
