; Each definition is checked, whatever is wrong with the others.
(define (domain kitchen)
  (:requirements :strips)
  (:types item - object cup plate - item)
  (:predicates (clean ?x - item) wet)
  (:action wash
    :parameters (?x item)
    :precondition (not (clean ?x) (wet ?x))
    :efect (clean ?x))
  (:action dry
    :parameters (?x - item)
    :precondition (wet ?x)
    :effect (and (not (wet ?x)) (= (heat) 3))
    :effect (clean ?x))
  (:acton stack
    :parameters (?x ?y - plate)))
