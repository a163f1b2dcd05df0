; Collab-Overcooked, level 1.
(define (problem boiled_mushroom)
  (:domain collab-overcooked)
  (:init
    (= (order) boiled_mushroom)
    (stocked mushroom))
  (:goal (served) :text "Serve what was ordered."))
