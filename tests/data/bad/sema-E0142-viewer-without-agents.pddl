(define (domain kitchen)
  (:requirements :typing :text :partial-observability)
  (:types cook item)
  (:predicates
    (near ?c - cook ?i - item)
    (hot ?i - item :text "{?i} is hot" :observable-by (?v - cook) (near ?v ?i)))
  (:action heat :parameters (?i - item) :effect (hot ?i)))
