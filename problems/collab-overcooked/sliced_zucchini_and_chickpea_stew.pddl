; Collab-Overcooked, level 4.
(define (problem sliced_zucchini_and_chickpea_stew)
  (:domain collab-overcooked)
  (:init
    (= (order) sliced_zucchini_and_chickpea_stew)
    (stocked zucchini) (stocked chickpea))
  (:goal (served) :text "Serve what was ordered."))
