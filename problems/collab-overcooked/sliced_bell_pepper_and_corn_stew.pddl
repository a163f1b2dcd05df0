; Collab-Overcooked, level 4.
(define (problem sliced_bell_pepper_and_corn_stew)
  (:domain collab-overcooked)
  (:init
    (= (order) sliced_bell_pepper_and_corn_stew)
    (stocked bell_pepper) (stocked corn))
  (:goal (served) :text "Serve what was ordered."))
