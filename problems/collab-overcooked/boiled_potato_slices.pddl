; Collab-Overcooked, level 2.
(define (problem boiled_potato_slices)
  (:domain collab-overcooked)
  (:init
    (= (order) boiled_potato_slices)
    (stocked potato))
  (:goal (served) :text "Serve what was ordered."))
