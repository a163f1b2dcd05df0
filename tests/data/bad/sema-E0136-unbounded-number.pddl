(define (domain kitchen)
  (:requirements :numeric-fluents)
  (:predicates (done))
  (:functions (fuel) (total-cost) (distance))
  (:action drive
    :parameters ()
    :precondition (>= (fuel) (distance))
    :effect (and (done) (decrease (fuel) (distance)) (increase (total-cost) 2))))

(define (problem trip)
  (:domain kitchen)
  (:init (= (fuel) 10) (= (distance) 3))
  (:goal (done)))
