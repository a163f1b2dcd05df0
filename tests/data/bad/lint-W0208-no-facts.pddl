(define (domain bakery)
  (:requirements :typing :multi-agent)
  (:types cook loaf)
  (:predicates (idle ?c - cook) (raw ?l - loaf) (baked ?l - loaf))
  (:action bake
    :agent ?c - cook
    :parameters (?l - loaf)
    :precondition (and (idle ?c) (raw ?l))
    :effect (baked ?l)))
(define (problem morning)
  (:domain bakery)
  (:objects ann - cook rye - loaf)
  (:goal (baked rye)))
