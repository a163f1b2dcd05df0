; Level 3 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-3)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    pot0 pot1 chopboard0 chopboard1 mixer0 mixer1 - tool
    salmonSushi tunaSushi - dish
    salmonSashimi cookedRice tunaSashimi - product)
  (:init
    (= (at agent0) servingtable0)
    (stocked salmon) (stocked rice) (stocked tuna)
    (= (kind-of pot0) pot)
    (= (kind-of pot1) pot)
    (= (kind-of chopboard0) chopboard)
    (= (kind-of chopboard1) chopboard)
    (= (kind-of mixer0) mixer)
    (= (kind-of mixer1) mixer)
    (= (made-in salmonSushi) mixer) (needs salmonSushi salmonSashimi) (needs salmonSushi cookedRice)
    (= (made-in salmonSashimi) chopboard) (needs salmonSashimi salmon)
    (= (made-in cookedRice) pot) (needs cookedRice rice)
    (= (made-in tunaSushi) mixer) (needs tunaSushi tunaSashimi) (needs tunaSushi cookedRice)
    (= (made-in tunaSashimi) chopboard) (needs tunaSashimi tuna))
  (:horizon 60)
  (:metric maximize (completed)))
