; What a timer waits for is made false as it starts, or what ends it always holds. The oven is free
; again after a while: its second timer comes due.
(define (domain bakery)
  (:requirements :typing :delayed-effects :negative-preconditions)
  (:types bread)
  (:predicates (shaped ?x - bread) (risen ?x - bread) (baked ?x - bread) (cold ?x - bread)
               (kneading) (oven-taken) (open))
  (:action knead
    :parameters (?x - bread)
    :effect (and (kneading) (shaped ?x)
                 (after 2 :while (not (kneading)) (and (risen ?x) (not (kneading))))))
  (:action bake
    :parameters (?x - bread)
    :precondition (shaped ?x)
    :effect (and (oven-taken)
                 (after 1 (not (oven-taken)))
                 (after 2 :while (not (oven-taken)) (baked ?x))))
  (:action cool
    :parameters (?x - bread)
    :precondition (baked ?x)
    :effect (and (open) (after 3 :until (baked ?x) (cold ?x)))))

(define (problem morning)
  (:domain bakery)
  (:objects loaf - bread)
  (:init)
  (:goal (baked loaf)))
