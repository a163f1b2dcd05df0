; Collab-Overcooked, level 3.
(define (problem baked_potato_soup)
  (:domain collab-overcooked)
  (:init
    (= (order) baked_potato_soup)
    (stocked potato))
  (:goal (served) :text "Serve what was ordered."))
