(define (domain kitchen)
  (:requirements :typing :multi-agent :text :partial-observability)
  (:types cook item)
  (:predicates
    (near ?c - cook ?i - item)
    (wet ?i - item :text "{?i} is wet" :observable-by (near ?c ?i))
    (dry ?i - item :text "{?i} is dry" :observable-by (?c ?d - cook) (near ?c ?i))
    (hot ?i - item :observable-by ?c (near ?c ?i) :text "{?i} is hot"))
  (:action heat :agent ?c - cook :parameters (?i - item) :precondition (near ?c ?i) :effect (hot ?i)))
