; Collab-Overcooked, level 5.
(define (problem mashed_broccoli_and_bean_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) mashed_broccoli_and_bean_patty)
    (stocked broccoli) (stocked bean))
  (:goal (served) :text "Serve what was ordered."))
