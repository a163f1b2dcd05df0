(define (domain kitchen)
  (:predicates (open))
  (:action wait :parameters () :precondition (open) :effect ()))

(define (problem lunch)
  (:domain kitchen)
  (:init (open)))
