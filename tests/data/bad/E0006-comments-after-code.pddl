; Two dashes after a list begin a comment, elsewhere they are a dash too many.
(define (domain shelf)
  (:requirements :typing :negative-preconditions)
  (:types jar)
  (:predicates (closed ?j - jar)) -- with its lid
  (:action open
    :parameters (?j - jar)
    :precondition (closed ?j)  -- or there is nothing to do
    :effect (not (closed ?j))))
