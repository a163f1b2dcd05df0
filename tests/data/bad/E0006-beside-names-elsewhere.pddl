(define (domain d) (:requirements :strips) (:predicates (p) (r))
 (:action a :precondition (and (p) (≥ 1 2)) :effect (r))
 (:action b :precondition (tosted) :effect (bortd)))
