(define (domain kitchen)
  (:requirements :typing :object-fluents :negative-preconditions)
  (:types cook item)
  (:functions (held ?c - cook) - item)
  (:action take
    :parameters (?c - cook ?i - item)
    :precondition (not (held ?c))
    :effect (held ?c ?i)))
