; Collab-Overcooked, level 2.
(define (problem baked_pumpkin_slices)
  (:domain collab-overcooked)
  (:init
    (= (order) baked_pumpkin_slices)
    (stocked pumpkin))
  (:goal (served) :text "Serve what was ordered."))
