; Collab-Overcooked, level 6.
(define (problem potato_carrot_and_onion_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) potato_carrot_and_onion_patty)
    (stocked potato) (stocked onion) (stocked carrot))
  (:goal (served) :text "Serve what was ordered."))
