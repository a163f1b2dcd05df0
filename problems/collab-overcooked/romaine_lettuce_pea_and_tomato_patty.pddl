; Collab-Overcooked, level 6.
(define (problem romaine_lettuce_pea_and_tomato_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) romaine_lettuce_pea_and_tomato_patty)
    (stocked romaine_lettuce) (stocked pea) (stocked tomato))
  (:goal (served) :text "Serve what was ordered."))
