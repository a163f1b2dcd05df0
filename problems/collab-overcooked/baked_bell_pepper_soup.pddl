; Collab-Overcooked, level 3.
(define (problem baked_bell_pepper_soup)
  (:domain collab-overcooked)
  (:init
    (= (order) baked_bell_pepper_soup)
    (stocked bell_pepper))
  (:goal (served) :text "Serve what was ordered."))
