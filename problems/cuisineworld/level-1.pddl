; Level 1 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-1)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    blender0 blender1 - tool
    salmonMeatcake lambMeatcake lobsterMeatcake - dish)
  (:init
    (= (at agent0) servingtable0)
    (stocked salmon) (stocked flour) (stocked lamb) (stocked lobster)
    (= (kind-of blender0) blender)
    (= (kind-of blender1) blender)
    (= (made-in salmonMeatcake) blender) (needs salmonMeatcake salmon) (needs salmonMeatcake flour)
    (= (made-in lambMeatcake) blender) (needs lambMeatcake lamb) (needs lambMeatcake flour)
    (= (made-in lobsterMeatcake) blender) (needs lobsterMeatcake lobster)
    (needs lobsterMeatcake flour))
  (:horizon 60)
  (:metric maximize (completed)))
