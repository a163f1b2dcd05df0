(define (domain kitchen)
  (:requirements :adl)
  (:types item)
  (:predicates (clean ?i - item))
  (:action wash
    :parameters (?i - item)
    :precondition (not (clean ?i))
    :effect (forall (?i - item) (clean ?i))))
