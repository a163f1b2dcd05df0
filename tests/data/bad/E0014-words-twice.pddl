(define (domain twice)
  (:requirements :adl)
  (:predicates (clean ?x) (dry ?x))
  (:action :action wash
    :parameters (?x)
    :precondition (and (not not (clean ?x)) (forall forall (?y) (imply (dry ?y) (clean ?y))))
    :effect (when when (dry ?x) (clean ?x))))
