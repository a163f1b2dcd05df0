(define (domain roast)
  (:requirements :delayed-effects)
  (:predicates (raw) (roasted))
  (:action roast
    :precondition (raw)
    :effect (after (roasted) 3)))
