; Level 1, one dish: most of the time the oven is waited for.
(define (problem level-1-baked-potato)
  (:domain cookmas)
  (:objects
    ann ben cleo - cook
    oven1 - appliance
    order1 - order
    dish1 - dish)
  (:init
    (= (at ann) pantry) (= (at ben) pantry) (= (at cleo) pass)
    (= (kind-of oven1) oven)
    (= (unserved) 1)
    (= (of dish1) order1) (= (wants dish1) baked-potato))
  (:goal
    (forall (?d - dish) (and (closed ?d) (not (amiss ?d))))
    :text "Serve every dish as it is wanted.")
  (:horizon 40)
  (:layout
    (cell oven1 4 1)
    (cell dish1 0 2)))
