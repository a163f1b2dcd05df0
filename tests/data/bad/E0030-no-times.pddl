(define (domain lamps)
  (:requirements :negative-preconditions :durative-actions)
  (:predicates (lit) (warm))
  (:action light
    :precondition (and (warm) (not (lit)))
    :effect (and (at start (lit)) (not (warm))))
  (:durative-action cool
    :precondition (and (warm) (not (lit)))
    :effect (and (lit) (not (warm)))))
