; Level 0 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-0)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    blender0 - tool
    salmonMeatcake - dish)
  (:init
    (= (at agent0) servingtable0)
    (stocked salmon) (stocked flour)
    (= (kind-of blender0) blender)
    (= (made-in salmonMeatcake) blender) (needs salmonMeatcake salmon) (needs salmonMeatcake flour))
  (:horizon 60)
  (:metric maximize (completed)))
