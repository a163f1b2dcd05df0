; A missing parenthesis before the last section is told where the list should end.
(define (domain kitchen)
  (:predicates (raw) (done) (burnt))
  (:action boil
    :precondition (raw)
    :effect (and (done) (not (raw)))
  (:fail (burnt)))
