; Level 12 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
; There is no tool for frenchFries: no order for it can be served.
(define (problem level-12)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    pan0 pan1 blender0 blender1 mixer0 mixer1 steamer0 steamer1 chopboard0 chopboard1 - tool
    potatoSalad smashedPotato frenchFries - dish
    potatoSlice rawSmashedPotato - product)
  (:init
    (= (at agent0) servingtable0)
    (stocked egg) (stocked potato)
    (= (kind-of pan0) pan)
    (= (kind-of pan1) pan)
    (= (kind-of blender0) blender)
    (= (kind-of blender1) blender)
    (= (kind-of mixer0) mixer)
    (= (kind-of mixer1) mixer)
    (= (kind-of steamer0) steamer)
    (= (kind-of steamer1) steamer)
    (= (kind-of chopboard0) chopboard)
    (= (kind-of chopboard1) chopboard)
    (= (made-in potatoSalad) mixer) (needs potatoSalad potatoSlice) (needs potatoSalad egg)
    (= (made-in potatoSlice) chopboard) (needs potatoSlice potato)
    (= (made-in smashedPotato) steamer) (needs smashedPotato rawSmashedPotato)
    (= (made-in rawSmashedPotato) blender) (needs rawSmashedPotato potatoSlice)
    (= (made-in frenchFries) fryer) (needs frenchFries potatoSlice))
  (:horizon 60)
  (:metric maximize (completed)))
