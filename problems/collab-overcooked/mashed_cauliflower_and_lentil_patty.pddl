; Collab-Overcooked, level 5.
(define (problem mashed_cauliflower_and_lentil_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) mashed_cauliflower_and_lentil_patty)
    (stocked cauliflower) (stocked lentil))
  (:goal (served) :text "Serve what was ordered."))
