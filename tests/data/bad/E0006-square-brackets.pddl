; Lists are written in parentheses; what is in brackets is one report.
(define (domain kitchen)
  (:requirements :typing)
  (:types pan)
  (:predicates [hot ?p - pan] (clean ?p - pan))
  (:action wash
    :parameters (?p - pan)
    :effect (clean ?p)))
