; Collab-Overcooked, level 5.
(define (problem mashed_potato_and_pea_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) mashed_potato_and_pea_patty)
    (stocked potato) (stocked pea))
  (:goal (served) :text "Serve what was ordered."))
