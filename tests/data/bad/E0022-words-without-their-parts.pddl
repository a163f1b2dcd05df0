(define (domain d)
  (:predicates (not) (p))
  (:action a
    :precondition not
    :effect (and (p) not)))
