; A type twice for nothing, and one that was meant as a parent.
(define (domain kitchen)
  (:requirements :typing)
  (:types item item cook station - object oven tray station)
  (:predicates (at ?c - cook ?s - station) (hot ?o - oven))
  (:action heat :parameters (?c - cook ?o - oven) :precondition (at ?c ?o) :effect (hot ?o)))
