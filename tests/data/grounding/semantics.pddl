; One domain, two meanings.
(define (domain meanings)
  (:requirements :adl :multi-agent :delayed-effects)
  (:semantics clean upstream)
  (:turns MODE)
  (:types cook - object)
  (:predicates (a) (b) (c))
  (:action go :agent ?c - cook
    :precondition (or (semantics upstream) (not (b)))
    :effect (and (a) (when (semantics upstream) (after 2 (b))) (when (semantics clean) (after 1 (c)))))
  (:action stop :agent ?c - cook :precondition (a) :effect (and (not (a)) (not (b))))
  (:action on :agent ?c - cook :precondition (and (c) (semantics clean)) :effect (b)))
(define (problem meanings-1) (:domain meanings)
  (:objects ann bob - cook) (:init) (:goal (and (a) (b))))
