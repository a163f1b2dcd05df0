; The oven has to be on, and nothing switches it on.
(define (domain oven)
  (:requirements :typing :multi-agent :delayed-effects)
  (:types cook cake)
  (:predicates (oven-on) (baked ?x - cake))
  (:action bake
    :agent ?c - cook
    :parameters (?x - cake)
    :effect (after 5 :while (oven-on) (baked ?x))))

(define (problem birthday)
  (:domain oven)
  (:objects ann - cook sponge - cake)
  (:init)
  (:goal (baked sponge)))
