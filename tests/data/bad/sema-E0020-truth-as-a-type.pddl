; What is used as a function is not told too.
(define (domain shelf)
  (:requirements :typing :object-fluents :equality)
  (:types jar)
  (:constants honey - jar)
  (:functions (chosen) - bool)
  (:action choose
    :parameters (?j - jar)
    :precondition (= (chosen) honey)
    :effect (assign (chosen) ?j)))
