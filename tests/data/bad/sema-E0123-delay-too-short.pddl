(define (domain kitchen)
  (:requirements :typing :multi-agent :delayed-effects :durative-actions)
  (:types cook)
  (:predicates (done))
  (:action cook :agent ?c - cook :effect (and (after 0 (done)) (on-nth (- 1 3) (done))))
  (:durative-action bake
    :agent ?c - cook
    :parameters ()
    :duration (= ?duration 0)
    :condition (and)
    :effect (at end (done))))
