; Collab-Overcooked, level 4.
(define (problem sliced_eggplant_and_chickpea_stew)
  (:domain collab-overcooked)
  (:init
    (= (order) sliced_eggplant_and_chickpea_stew)
    (stocked eggplant) (stocked chickpea))
  (:goal (served) :text "Serve what was ordered."))
