(define (domain kitchen)
  (:requirements :typing)
  (:types item)
  (:predicates (in ?i - item ?v - vesel) (clean ?i - item) (clean ?i ?j - item))
  (:action put
    :parameters (?i - item ?v - vessel)
    :precondition (and (in ?i ?v) (clean ?i) (clean ?v ?i ?i) (lost ?i ?x))
    :effect (in ?v ?i)))

(define (problem lunch)
  (:domain kitchen)
  (:objects egg - item pan - vessel)
  (:init (in egg pan) (clean egg))
  (:goal (in egg pan)))
