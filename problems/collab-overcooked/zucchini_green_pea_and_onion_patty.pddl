; Collab-Overcooked, level 6.
(define (problem zucchini_green_pea_and_onion_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) zucchini_green_pea_and_onion_patty)
    (stocked zucchini) (stocked green_pea) (stocked onion))
  (:goal (served) :text "Serve what was ordered."))
