; What it declares is read all the same.
(define (domain roast)
  (predicates (raw) (roasted))
  (:action roast
    parameters ()
    :precondition (raw)
    :effect (roasted)))
