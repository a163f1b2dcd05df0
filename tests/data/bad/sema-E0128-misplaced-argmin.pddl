(define (domain kitchen)
  (:requirements :typing :object-fluents :aggregates :bounded-numbers)
  (:types cook item)
  (:functions (held ?c - cook) - item (age ?i - item) - (int 0 9))
  (:action take
    :parameters (?c - cook)
    :effect (assign (held ?c) (argmin (?i - item) () (age ?i)))))
