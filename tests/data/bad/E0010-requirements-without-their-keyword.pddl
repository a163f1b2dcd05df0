(define (domain bare)
  (:adl :delayed-effects)
  (:predicates (clean) (dry))
  (:action wash
    :precondition (not (clean))
    :effect (and (clean) (after 2 (dry)))))
