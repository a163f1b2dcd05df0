(define (domain walk)
  (:requirements :strips :typing :action-costs)
  (:types place)
  (:predicates (at ?p - place))
  (:functions (length ?a ?b - place) - number (total-cost) - number)
  (:action walk
    :parameters (?a ?b - place)
    :precondition (at ?a)
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) (length ?a ?b))))
  (:action fly
    :parameters (?a ?b - place)
    :precondition (at ?a)
    :effect (and (not (at ?a)) (at ?b) (increase (total-cost) 2.75))))
