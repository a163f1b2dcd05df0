(define (domain kitchen)
  (:requirements :typing :multi-agent :text :partial-observability)
  (:types cook place item)
  (:predicates
    (near ?c - cook ?p - place)
    (on ?i - item ?p - place :text "{?i} is on {?p}" :observable-by (?v - place) (on ?i ?v)))
  (:action put
    :agent ?c - cook
    :parameters (?i - item ?p - place)
    :precondition (near ?c ?p)
    :effect (on ?i ?p)))
