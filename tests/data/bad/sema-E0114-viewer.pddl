(define (domain kitchen)
  (:requirements :typing :multi-agent :text :partial-observability)
  (:types cook item)
  (:predicates
    (near ?c - cook ?i - item)
    (hot ?i - item :text "{?i} is hot" :observable-by (?v - cook) (near ?i ?v)))
  (:action heat :agent ?c - cook :parameters (?i - item) :precondition (near ?c ?i) :effect (hot ?i)))
