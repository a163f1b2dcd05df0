; Each construct that is refused is told, in the first places where it stands.
(define (domain kitchen)
  (:requirements :probabilistic-effects :durative-actions :preferences)
  (:predicates (clean ?x) (dry ?x))
  (:constraints (and))
  (:action wash
    :parameters (?x)
    :effect (and (probabilistic 0.5 (clean ?x)) (uniform (?y) (clean ?y) (clean ?y))))
  (:action rinse
    :parameters (?x)
    :effect (probabilistic 0.5 (clean ?x)))
  (:durative-action dry
    :parameters (?x)
    :duration (>= ?duration 3)
    :effect (at end (dry ?x)))
  (:durative-action air
    :parameters (?x)
    :duration (<= ?duration 3)
    :effect (at end (when (at start (clean ?x)) (at end (dry ?x))))))
