; Level 1, one dish, with a custom: less time on the grill than the recipe says.
(define (problem level-1-burger)
  (:domain cookmas)
  (:objects
    ann ben cleo - cook
    board1 board2 - board
    grill1 pot1 pot2 fryer1 oven1 - appliance
    order1 - order
    dish1 - dish)
  (:init
    (= (at ann) pantry) (= (at ben) pantry) (= (at cleo) pass)
    (= (kind-of grill1) grill) (= (kind-of pot1) pot) (= (kind-of pot2) pot)
    (= (kind-of fryer1) fryer) (= (kind-of oven1) oven)
    (= (unserved) 1)
    (= (of dish1) order1) (= (wants dish1) burger) (= (doneness dish1) rare))
  (:goal
    (forall (?d - dish) (and (closed ?d) (not (amiss ?d))))
    :text "Serve every dish as it is wanted.")
  (:horizon 40)
  (:layout
    (cell board1 1 0) (cell board2 2 0)
    (cell grill1 0 1) (cell pot1 1 1) (cell pot2 2 1) (cell fryer1 3 1) (cell oven1 4 1)
    (cell dish1 0 2)))
