; Collab-Overcooked, level 1.
(define (problem baked_bell_pepper)
  (:domain collab-overcooked)
  (:init
    (= (order) baked_bell_pepper)
    (stocked bell_pepper))
  (:goal (served) :text "Serve what was ordered."))
