; Nothing is ordered at first; the first order is cancelled before anybody has begun, the second comes late.
(define (problem quiet-evening)
  (:domain cookmas)
  (:objects
    ann ben - cook
    board1 - board
    oven1 - appliance
    order1 order2 - order
    dish1 dish2 - dish)
  (:init
    (= (at ann) pantry) (= (at ben) pass)
    (= (kind-of oven1) oven)
    (= (unserved) 2)
    (= (of dish1) order1) (at 3 (= (wants dish1) green-salad))
    (at 5 (cancelled order1))
    (= (of dish2) order2) (at 9 (= (wants dish2) baked-potato)))
  (:goal
    (forall (?d - dish) (and (closed ?d) (not (amiss ?d))))
    :text "Serve every dish as it is wanted.")
  (:horizon 30))
