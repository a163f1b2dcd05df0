; `(not` takes one part.
(define (domain roast)
  (:predicates (raw) (roasted))
  (:action roast
    :precondition (raw)
    :effect (and (not (raw) (roasted))))
