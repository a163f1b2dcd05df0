(define (domain kitchen)
  (:requirements :conditional-effects :numeric-fluents)
  (:predicates (on ?x ?y) (used ?x))
  (:functions (heat))
  (:action use
    :parameters (?x ?y)
    :precondition (and (when (on ?x ?y) (used ?x)) increase (heat) 1)
    :effect (used ?x)))
