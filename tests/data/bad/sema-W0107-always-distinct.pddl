(define (domain kitchen)
  (:requirements :typing :equality)
  (:types cook item)
  (:predicates (clean ?i - item))
  (:action wash
    :parameters (?c - cook ?i - item)
    :precondition (= ?c ?i)
    :effect (clean ?i)))
