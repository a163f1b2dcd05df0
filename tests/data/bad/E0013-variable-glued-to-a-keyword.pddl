; The variable is passed over; an agent's may stand so.
(define (domain shelf)
  (:requirements :typing :multi-agent)
  (:types jar cook)
  (:predicates (closed ?j - jar))
  (:action close
    :agent?c - cook
    :parameters (?j - jar)
    :effect?j (closed ?j)))
