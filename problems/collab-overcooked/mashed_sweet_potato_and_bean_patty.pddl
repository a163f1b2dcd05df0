; Collab-Overcooked, level 5.
(define (problem mashed_sweet_potato_and_bean_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) mashed_sweet_potato_and_bean_patty)
    (stocked sweet_potato) (stocked bean))
  (:goal (served) :text "Serve what was ordered."))
