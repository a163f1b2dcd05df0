(define (domain sokoban-like)
  (:requirements :strips)
  (:predicates (at ?x) (next ?x ?y))
  (:action step
    :parameters (?x ?y)
    :precondition (and (at ?x) (next ?x ?y))
    :effect (and (at ?y) (not (at ?x)))))
