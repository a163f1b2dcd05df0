(define (domain kitchen)
  (:requirements :strips :negative-precondition :kitchen-sink)
  (:predicates (open))
  (:action wait :parameters () :precondition (open) :effect ()))
