; Pots go on the hob, food does not, so nothing that waits for it ever cooks.
(define (domain boil)
  (:requirements :typing :delayed-effects :conditional-effects)
  (:types food pot - thing thing)
  (:predicates (on-hob ?x - thing) (lit) (cooked ?x - food) (put-down ?x - food) (rung))
  (:action put
    :parameters (?p - pot)
    :effect (on-hob ?p))
  (:action heat
    :parameters (?x - food)
    :effect (and (put-down ?x)
                 (after 3 :while (on-hob ?x) (cooked ?x))
                 (when (lit) (after 2 (rung)))))
  (:action light
    :parameters (?x - food)
    :precondition (on-hob ?x)
    :effect (lit)))

(define (problem supper)
  (:domain boil)
  (:objects egg - food pot1 - pot)
  (:init)
  (:goal (put-down egg)))
