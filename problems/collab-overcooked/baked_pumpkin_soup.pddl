; Collab-Overcooked, level 3.
(define (problem baked_pumpkin_soup)
  (:domain collab-overcooked)
  (:init
    (= (order) baked_pumpkin_soup)
    (stocked pumpkin))
  (:goal (served) :text "Serve what was ordered."))
