(define (domain rack)
  (:requirements :typing :bounded-numbers :numeric-fluents)
  (:types rack)
  (:functions (load ?r - rack) - (int 0 3))
  (:predicates (tipped ?r - rack))
  (:action put
    :parameters (?r - rack)
    :precondition (< (load ?r) 10)
    :effect (increase (load ?r) 1))
  (:action tip
    :parameters (?r - rack)
    :precondition (>= (load ?r) 4)
    :effect (tipped ?r)))
