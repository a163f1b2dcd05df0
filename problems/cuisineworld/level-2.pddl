; Level 2 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-2)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    chopboard0 chopboard1 mixer0 mixer1 - tool
    salmonSashimi tunaSashimi mixedSashimi - dish)
  (:init
    (= (at agent0) servingtable0)
    (stocked salmon) (stocked tuna)
    (= (kind-of chopboard0) chopboard)
    (= (kind-of chopboard1) chopboard)
    (= (kind-of mixer0) mixer)
    (= (kind-of mixer1) mixer)
    (= (made-in salmonSashimi) chopboard) (needs salmonSashimi salmon)
    (= (made-in tunaSashimi) chopboard) (needs tunaSashimi tuna)
    (= (made-in mixedSashimi) mixer) (needs mixedSashimi salmonSashimi)
    (needs mixedSashimi tunaSashimi))
  (:horizon 60)
  (:metric maximize (completed)))
