; Level 3: four orders in a row; a dish is changed for another, and one is to be without cheese.
(define (problem level-3-rush)
  (:domain cookmas)
  (:objects
    ann ben cleo - cook
    board1 board2 - board
    grill1 pot1 pot2 fryer1 oven1 - appliance
    order1 order2 order3 order4 - order
    dish1 dish2 dish3 dish4 dish5 dish6 - dish)
  (:init
    (= (at ann) pantry) (= (at ben) pantry) (= (at cleo) pass)
    (= (kind-of grill1) grill) (= (kind-of pot1) pot) (= (kind-of pot2) pot)
    (= (kind-of fryer1) fryer) (= (kind-of oven1) oven)
    (= (unserved) 6)
    (= (of dish1) order1) (= (wants dish1) tomato-pasta)
    (= (of dish2) order1) (= (wants dish2) grilled-salmon) (= (doneness dish2) rare)
    (at 4 :unannounced (= (wants dish1) mushroom-risotto))
    (= (of dish3) order2) (at 5 :unannounced (= (wants dish3) pizza))
    (at 11 :unannounced (without dish3 cheese))
    (= (of dish4) order3) (at 10 :unannounced (= (wants dish4) fish-and-chips))
    (= (of dish5) order3) (at 10 :unannounced (= (wants dish5) onion-soup))
    (at 16 :unannounced (cancelled order3))
    (= (of dish6) order4) (at 14 :unannounced (= (wants dish6) baked-potato)))
  (:goal
    (forall (?d - dish) (and (closed ?d) (not (amiss ?d))))
    :text "Serve every dish as it is wanted.")
  (:horizon 130)
  (:layout
    (cell board1 1 0) (cell board2 2 0)
    (cell grill1 0 1) (cell pot1 1 1) (cell pot2 2 1) (cell fryer1 3 1) (cell oven1 4 1)
    (cell dish1 0 2) (cell dish2 1 2) (cell dish3 2 2) (cell dish4 3 2) (cell dish5 4 2)
    (cell dish6 0 3)))
