(define (domain bare)
  (:requirements :typing :negative-preconditions)
  (:types pot)
  (:predicates (clean ?p - pot) (dry ?p - pot) (warm))
  (:action wash
    :parameters (?p - pot)
    :precondition and (dry ?p) (not (clean ?p))
    :effect clean ?p)
  (:action wait
    :precondition not warm
    :effect (and warm))
  (:action wipe
    :parameters (?p - pot)
    :precondition (and clean(?p, ?p) (not dry ?p))
    :effect (and (not clean ?p) dry ?p)))
