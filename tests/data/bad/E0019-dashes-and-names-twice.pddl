(define (domain twice)
  (:requirements :typing)
  (:types cook - - object item item - object)
  (:predicates (clean ?i - - item) (held ?c ?c - cook ?i - item))
  (:action wash
    :parameters (?i - item item)
    :effect (clean ?i)))
