; A kitchen of CuisineWorld with one order of another dish than is played: the example that a dispatcher is shown.
(define (problem example-kitchen)
  (:domain cuisineworld)
  (:objects
    agent0 agent1 - cook
    storage0 - storage
    servingtable0 - table
    chopboard0 - tool
    tunaSashimi - dish
    order0 - order)
  (:init
    (= (at agent0) servingtable0) (= (at agent1) servingtable0)
    (stocked tuna)
    (= (kind-of chopboard0) chopboard)
    (= (made-in tunaSashimi) chopboard) (needs tunaSashimi tuna)
    (waiting order0) (= (wants order0) tunaSashimi) (= (due order0) 8))
  (:horizon 8)
  (:metric maximize (completed)))
