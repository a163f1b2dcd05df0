; The domain is not closed before the problem begins.
(define (domain boil)
  (:predicates (raw) (boiled))
  (:action boil
    :precondition (raw)
    :effect (boiled))

(define (problem egg)
  (:domain boil)
  (:objects)
  (:init (raw))
  (:goal (boiled)))
