; Collab-Overcooked, level 2.
(define (problem boiled_green_bean_slices)
  (:domain collab-overcooked)
  (:init
    (= (order) boiled_green_bean_slices)
    (stocked green_bean))
  (:goal (served) :text "Serve what was ordered."))
