; Level 1, one dish: nothing is heated, and each cook brings one part.
(define (problem level-1-green-salad)
  (:domain cookmas)
  (:objects
    ann ben cleo - cook
    board1 board2 - board
    order1 - order
    dish1 - dish)
  (:init
    (= (at ann) pantry) (= (at ben) pantry) (= (at cleo) pass)
    (= (unserved) 1)
    (= (of dish1) order1) (= (wants dish1) green-salad))
  (:goal
    (forall (?d - dish) (and (closed ?d) (not (amiss ?d))))
    :text "Serve every dish as it is wanted.")
  (:horizon 40)
  (:layout
    (cell board1 1 0) (cell board2 2 0)
    (cell dish1 0 2)))
