; The key is in the box, and the box is locked.
(define (domain box)
  (:requirements :strips)
  (:predicates (open-box) (has-key))
  (:action unlock :precondition (has-key) :effect (open-box))
  (:action take-key :precondition (open-box) :effect (has-key)))

(define (problem locked)
  (:domain box)
  (:init)
  (:goal (open-box)))
