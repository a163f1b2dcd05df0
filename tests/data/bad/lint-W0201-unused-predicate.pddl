(define (domain wash)
  (:requirements :typing)
  (:types cup)
  (:predicates (dirty ?x - cup) (clean ?x - cup) (chipped ?x - cup))
  (:functions (weight ?x - cup) - number)
  (:action wash
    :parameters (?x - cup)
    :precondition (dirty ?x)
    :effect (and (clean ?x) (not (dirty ?x)))))
