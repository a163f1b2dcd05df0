(define (domain kitchen)
  (:requirements :delayed-effects :durative-actions)
  (:predicates (done))
  (:action cook :parameters () :effect (and (after 0 (done)) (on-nth (- 1 3) (done))))
  (:durative-action bake
    :parameters ()
    :duration (= ?duration 0)
    :condition (and)
    :effect (at end (done))))
