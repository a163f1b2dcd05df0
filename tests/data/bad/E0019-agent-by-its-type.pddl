(define (domain lamps)
  (:requirements :typing :multi-agent)
  (:types agent lamp)
  (:predicates (lit ?l - lamp))
  (:action light
    :agent agent
    :parameters (?l - lamp)
    :effect (lit ?l)))
