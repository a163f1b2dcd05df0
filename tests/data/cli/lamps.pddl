; Plain PDDL: nobody in particular switches lamps on.
(define (domain lamps)
  (:requirements :strips :negative-preconditions)
  (:predicates (lit ?x))
  (:action press
    :parameters (?x)
    :precondition (not (lit ?x))
    :effect (lit ?x)))
