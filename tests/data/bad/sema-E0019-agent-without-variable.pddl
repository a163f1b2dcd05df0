; The variable that its effects name is not told too, nor that others have an agent.
(define (domain shelf)
  (:requirements :typing :multi-agent)
  (:types jar cook)
  (:predicates (closed ?j - jar) (held ?c - cook ?j - jar))
  (:action take
    :agent cook
    :parameters (?j - jar)
    :effect (held ?c ?j))
  (:action close
    :agent ?c - cook
    :parameters (?j - jar)
    :precondition (held ?c ?j)
    :effect (closed ?j)))
