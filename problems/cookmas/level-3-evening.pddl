; Level 3: a steak is to be well done after all, and an order is cancelled.
(define (problem level-3-evening)
  (:domain cookmas)
  (:objects
    ann ben cleo - cook
    board1 board2 - board
    grill1 pot1 pot2 fryer1 oven1 - appliance
    order1 order2 order3 - order
    dish1 dish2 dish3 dish4 - dish)
  (:init
    (= (at ann) pantry) (= (at ben) pantry) (= (at cleo) pass)
    (= (kind-of grill1) grill) (= (kind-of pot1) pot) (= (kind-of pot2) pot)
    (= (kind-of fryer1) fryer) (= (kind-of oven1) oven)
    (= (unserved) 4)
    (= (of dish1) order1) (= (wants dish1) steak-frites)
    (= (of dish2) order1) (= (wants dish2) green-salad)
    (at 5 :unannounced (= (doneness dish1) well-done))
    (= (of dish3) order2) (at 6 :unannounced (= (wants dish3) tomato-soup))
    (at 12 :unannounced (cancelled order2))
    (= (of dish4) order3) (at 9 :unannounced (= (wants dish4) cheeseburger)))
  (:goal
    (forall (?d - dish) (and (closed ?d) (not (amiss ?d))))
    :text "Serve every dish as it is wanted.")
  (:horizon 100)
  (:layout
    (cell board1 1 0) (cell board2 2 0)
    (cell grill1 0 1) (cell pot1 1 1) (cell pot2 2 1) (cell fryer1 3 1) (cell oven1 4 1)
    (cell dish1 0 2) (cell dish2 1 2) (cell dish3 2 2) (cell dish4 3 2)))
