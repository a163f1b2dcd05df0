(define (domain between)
  (:requirements :typing :equality :negative-preconditions :numeric-fluents :bounded-numbers
    :disjunctive-preconditions)
  (:types pot)
  (:predicates (clean ?p - pot) (dry ?p - pot))
  (:functions (water ?p - pot) - (int 0 3))
  (:action pour
    :parameters (?p ?q - pot)
    :precondition (and (?p != ?q) (water ?p) > 0 (water ?q < 3) ((clean ?p) or (dry ?p)))
    :effect (and (water ?p) := 0 ((water ?q) += 1)))
  (:action wash
    :parameters (?p - pot)
    :precondition ((clean ?p) and !(dry ?p))
    :effect (clean ?p)))
