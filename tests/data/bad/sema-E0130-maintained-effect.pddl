(define (domain kitchen)
  (:requirements :typing :delayed-effects :bounded-numbers :adl)
  (:types item)
  (:predicates (on ?i - item) (cooking ?i - item) (cooked ?i - item))
  (:functions (heat) - (int 0 9))
  (:action cook
    :parameters (?i - item)
    :effect (maintain (on ?i) (and (cooking ?i) (assign (heat) 3) (not (cooked ?i)))
              (after 3 (cooked ?i)))))
