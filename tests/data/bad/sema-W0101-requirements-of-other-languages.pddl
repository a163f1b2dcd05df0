; They are read as what they mean, so that nothing is missed besides.
(define (domain shelf)
  (:requirements :types :ma :delay)
  (:types jar cook)
  (:predicates (closed ?j - jar))
  (:action close
    :agent ?c - cook
    :parameters (?j - jar)
    :effect (after 2 (closed ?j))))
