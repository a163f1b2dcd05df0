; No `:requirements` at all, though types, negation and costs are used.
(define (domain lamps)
  (:types lamp switch)
  (:predicates (lit ?l - lamp) (wired ?s - switch ?l - lamp))
  (:functions (total-cost))
  (:action flip
    :parameters (?s - switch ?l - lamp)
    :precondition (and (wired ?s ?l) (not (lit ?l)))
    :effect (and (lit ?l) (increase (total-cost) 1))))
