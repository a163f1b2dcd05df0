(define (domain headless)
  (:requirements :adl :object-fluents :delayed-effects)
  (:types cook item - object)
  (:predicates (clean ?i - item))
  (:functions (holds ?c - cook) - item (washing ?c - cook) - item)
  (:action wash
    :parameters (?c - cook ?i - item)
    :precondition (and ((holds ?c) ?i) ((?o - cook) (not (= (holds ?o) ?i))))
    :effect (and ((washing ?c) ?i) (2 (clean ?i)) ((?o - item) (not (clean ?o))))))
