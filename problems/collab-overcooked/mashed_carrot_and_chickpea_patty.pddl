; Collab-Overcooked, level 5.
(define (problem mashed_carrot_and_chickpea_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) mashed_carrot_and_chickpea_patty)
    (stocked carrot) (stocked chickpea))
  (:goal (served) :text "Serve what was ordered."))
