; Collab-Overcooked, level 6.
(define (problem sweet_potato_spinach_and_mushroom_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) sweet_potato_spinach_and_mushroom_patty)
    (stocked sweet_potato) (stocked spinach) (stocked mushroom))
  (:goal (served) :text "Serve what was ordered."))
