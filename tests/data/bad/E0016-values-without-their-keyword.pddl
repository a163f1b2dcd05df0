(define (domain keyless)
  (:requirements :typing :negative-preconditions :multi-agent :text)
  (:types cook item)
  (:predicates (clean ?i - item) (dry ?i - item))
  (:action wash
    :agent ?c - cook (?i - item)
    :precondition (not (clean ?i))
    :effect (clean ?i))
  (:action wipe
    :agent ?c - cook
    :parameters (?i - item) (clean ?i)
    :effect (dry ?i))
  (:action soil
    :agent ?c - cook
    :parameters (?i - item)
    :precondition (clean ?i) (not (clean ?i))
    "soil {?i}"))
