(define (domain stack)
  (:requirements :strips :typing)
  (:types crate pallet - thing area)
  (:predicates (on ?x - crate ?y - (either crate pallet area)) (clear ?x - (either crate pallet)))
  (:action lift
    :parameters (?x - crate ?y - (either crate pallet))
    :precondition (and (on ?x ?y) (clear ?x))
    :effect (and (not (on ?x ?y)) (clear ?y)))
  (:action drop
    :parameters (?x - crate ?y - (either area pallet))
    :precondition (clear ?x)
    :effect (on ?x ?y)))
