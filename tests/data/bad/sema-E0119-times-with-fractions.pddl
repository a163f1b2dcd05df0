(define (domain kitchen)
  (:requirements :durative-actions :multi-agent :typing :delayed-effects)
  (:types cook)
  (:predicates (done ?c - cook) (hot))
  (:action warm :agent ?c - cook :effect (after 1.5 (hot)))
  (:durative-action work
    :agent ?c - cook
    :parameters ()
    :duration (= ?duration 0.1)
    :condition (at start (hot))
    :effect (at end (done ?c))))
