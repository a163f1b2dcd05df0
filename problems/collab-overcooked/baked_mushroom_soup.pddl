; Collab-Overcooked, level 3.
(define (problem baked_mushroom_soup)
  (:domain collab-overcooked)
  (:init
    (= (order) baked_mushroom_soup)
    (stocked mushroom))
  (:goal (served) :text "Serve what was ordered."))
