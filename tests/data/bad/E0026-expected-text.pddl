(define (domain kitchen)
  (:requirements :text)
  (:predicates (clean ?x))
  (:action wash
    :parameters (?x)
    :precondition (else (dirty) (clean ?x))
    :effect (log wash)
    :label silent
    :text wash))
