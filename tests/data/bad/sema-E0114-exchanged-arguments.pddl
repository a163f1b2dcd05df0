(define (domain larder)
  (:requirements :typing)
  (:types food cook)
  (:predicates (holds ?c - cook ?f - food))
  (:action take
    :parameters (?c - cook ?f - food)
    :effect (holds ?f ?c)))
