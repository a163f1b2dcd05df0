; Collab-Overcooked, level 3.
(define (problem baked_carrot_soup)
  (:domain collab-overcooked)
  (:init
    (= (order) baked_carrot_soup)
    (stocked carrot))
  (:goal (served) :text "Serve what was ordered."))
