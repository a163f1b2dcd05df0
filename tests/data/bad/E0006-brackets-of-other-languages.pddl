; Lists in square and curly brackets are read as lists, also where the other end is a parenthesis.
(define (domain shelf)
  (:requirements :typing :negative-preconditions)
  [:types jar]
  (:predicates (closed ?j - jar) (full ?j - jar))
  (:action open
    :parameters (?j - jar)
    :precondition {and (closed ?j) (full ?j)}
    :effect (and [not (closed ?j)) (full ?j]))
  (:action close
    :parameters (?j - jar)
    :precondition (not {closed ?j})
    :effect (closed ?j)))
