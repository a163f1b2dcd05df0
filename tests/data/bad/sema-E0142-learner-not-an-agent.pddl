(define (domain kitchen)
  (:requirements :typing :multi-agent :partial-observability)
  (:types cook dish)
  (:predicates (clean ?x - dish))
  (:action wash
    :agent ?c - cook
    :parameters (?x - dish)
    :observable-by (?v - dish) (clean ?v)
    :effect (clean ?x)))

(define (problem dishes)
  (:domain kitchen)
  (:objects ann - cook plate - dish)
  (:goal (clean plate)))
