(define (domain kitchen)
  (:requirements :typing :object-fluents)
  (:types cook item)
  (:predicates (clean ?i - item) (on ?a ?b - item))
  (:functions (held ?c - cook) - item)
  (:action wash
    :parameters (?c - cook ?i - item)
    :precondition (and (> (clean ?i) 0) (on (clean ?i) (held ?c)))
    :effect (assign (clean ?i) 1)))
