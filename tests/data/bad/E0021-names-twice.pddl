(define (domain twice)
  (:requirements :adl :derived-predicates)
  (:predicates (clean clean ?x) (dry DRY ?x) (ready ?x))
  (:functions (weight weight ?x) - number)
  (:derived (ready ready ?x) (and (clean ?x) (dry ?x)))
  (:action wash
    :parameters (?x)
    :precondition (> (weight ?x) 1)
    :effect (and (clean ?x) (when (ready ?x) (not (dry ?x))))))
