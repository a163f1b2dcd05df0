; Collab-Overcooked, level 2.
(define (problem baked_potato_slices)
  (:domain collab-overcooked)
  (:init
    (= (order) baked_potato_slices)
    (stocked potato))
  (:goal (served) :text "Serve what was ordered."))
