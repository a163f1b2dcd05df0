; Level 8 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-8)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    steamer0 steamer1 blender0 blender1 - tool
    porkDumpling beefDumpling salmonDumpling - dish
    groundPork groundBeef groundSalmon - product)
  (:init
    (= (at agent0) servingtable0)
    (stocked flour) (stocked pork) (stocked beef) (stocked salmon)
    (= (kind-of steamer0) steamer)
    (= (kind-of steamer1) steamer)
    (= (kind-of blender0) blender)
    (= (kind-of blender1) blender)
    (= (made-in porkDumpling) steamer) (needs porkDumpling groundPork) (needs porkDumpling flour)
    (= (made-in groundPork) blender) (needs groundPork pork)
    (= (made-in beefDumpling) steamer) (needs beefDumpling groundBeef) (needs beefDumpling flour)
    (= (made-in groundBeef) blender) (needs groundBeef beef)
    (= (made-in salmonDumpling) steamer) (needs salmonDumpling groundSalmon)
    (needs salmonDumpling flour)
    (= (made-in groundSalmon) blender) (needs groundSalmon salmon))
  (:horizon 60)
  (:metric maximize (completed)))
