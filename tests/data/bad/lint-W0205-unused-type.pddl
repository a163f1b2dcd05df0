(define (domain wash)
  (:requirements :typing)
  (:types cup mug - vessel plate)
  (:predicates (clean ?x - vessel))
  (:action wash
    :parameters (?x - cup)
    :effect (clean ?x)))
