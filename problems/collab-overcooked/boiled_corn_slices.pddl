; Collab-Overcooked, level 2.
(define (problem boiled_corn_slices)
  (:domain collab-overcooked)
  (:init
    (= (order) boiled_corn_slices)
    (stocked corn))
  (:goal (served) :text "Serve what was ordered."))
