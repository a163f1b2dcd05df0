; Level 5 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-5)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    pan0 pan1 pot0 pot1 mixer0 mixer1 blender0 blender1 chopboard0 chopboard1 - tool
    tomatoPasta beefPasta porkPasta - dish
    cookedPasta sauteedTomato tomatoSlice sauteedGroundBeef groundBeef sauteedGroundPork groundPork
    - product)
  (:init
    (= (at agent0) servingtable0)
    (stocked pasta) (stocked tomato) (stocked beef) (stocked pork)
    (= (kind-of pan0) pan)
    (= (kind-of pan1) pan)
    (= (kind-of pot0) pot)
    (= (kind-of pot1) pot)
    (= (kind-of mixer0) mixer)
    (= (kind-of mixer1) mixer)
    (= (kind-of blender0) blender)
    (= (kind-of blender1) blender)
    (= (kind-of chopboard0) chopboard)
    (= (kind-of chopboard1) chopboard)
    (= (made-in tomatoPasta) mixer) (needs tomatoPasta cookedPasta)
    (needs tomatoPasta sauteedTomato)
    (= (made-in cookedPasta) pot) (needs cookedPasta pasta)
    (= (made-in sauteedTomato) pan) (needs sauteedTomato tomatoSlice)
    (= (made-in tomatoSlice) chopboard) (needs tomatoSlice tomato)
    (= (made-in beefPasta) mixer) (needs beefPasta cookedPasta) (needs beefPasta sauteedGroundBeef)
    (= (made-in sauteedGroundBeef) pan) (needs sauteedGroundBeef groundBeef)
    (= (made-in groundBeef) blender) (needs groundBeef beef)
    (= (made-in porkPasta) mixer) (needs porkPasta cookedPasta) (needs porkPasta sauteedGroundPork)
    (= (made-in sauteedGroundPork) pan) (needs sauteedGroundPork groundPork)
    (= (made-in groundPork) blender) (needs groundPork pork))
  (:horizon 60)
  (:metric maximize (completed)))
