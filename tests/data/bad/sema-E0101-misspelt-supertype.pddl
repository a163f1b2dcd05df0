(define (domain misspelt-parent)
  (:requirements :typing)
  (:types place - object stove oven - plase)
  (:predicates (hot ?p - place) (clean ?p - place))
  (:action heat
    :parameters (?s - stove ?o - oven)
    :precondition (clean ?s)
    :effect (and (hot ?s) (hot ?o)))
  (:action wipe
    :parameters (?p - place)
    :effect (clean ?p)))
