(define (domain kitchen)
  (:requirements :typing :universal-preconditions :disjunctive-preconditions)
  (:types item stove)
  (:predicates (on ?i - item ?s - stove) (hot ?s - stove))
  (:action cook
    :parameters (?item - item ?s - stove)
    :precondition (and (on ?itme ?s) (forall (?o - stove) (imply (hot ?o) (on ?item ?o))) (hot ?o))
    :effect (hot ?pan)))
