; Collab-Overcooked, level 1.
(define (problem boiled_egg)
  (:domain collab-overcooked)
  (:init
    (= (order) boiled_egg)
    (stocked egg))
  (:goal (served) :text "Serve what was ordered."))
