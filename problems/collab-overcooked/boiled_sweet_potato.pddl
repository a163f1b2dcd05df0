; Collab-Overcooked, level 1.
(define (problem boiled_sweet_potato)
  (:domain collab-overcooked)
  (:init
    (= (order) boiled_sweet_potato)
    (stocked sweet_potato))
  (:goal (served) :text "Serve what was ordered."))
