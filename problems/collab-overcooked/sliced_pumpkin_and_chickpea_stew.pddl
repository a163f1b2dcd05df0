; Collab-Overcooked, level 4.
(define (problem sliced_pumpkin_and_chickpea_stew)
  (:domain collab-overcooked)
  (:init
    (= (order) sliced_pumpkin_and_chickpea_stew)
    (stocked pumpkin) (stocked chickpea))
  (:goal (served) :text "Serve what was ordered."))
