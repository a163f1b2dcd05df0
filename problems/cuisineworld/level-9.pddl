; Level 9 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-9)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    pan0 pan1 mixer0 mixer1 chopboard0 chopboard1 - tool
    cheeseBurger MaxJr Hopper - dish
    sauteedBeef lettuceSlice tomatoSlice - product)
  (:init
    (= (at agent0) servingtable0)
    (stocked cheese) (stocked bread) (stocked beef) (stocked lettuce) (stocked tomato)
    (= (kind-of pan0) pan)
    (= (kind-of pan1) pan)
    (= (kind-of mixer0) mixer)
    (= (kind-of mixer1) mixer)
    (= (kind-of chopboard0) chopboard)
    (= (kind-of chopboard1) chopboard)
    (= (made-in cheeseBurger) mixer) (needs cheeseBurger cheese) (needs cheeseBurger sauteedBeef)
    (needs cheeseBurger bread)
    (= (made-in sauteedBeef) pan) (needs sauteedBeef beef)
    (= (made-in MaxJr) mixer) (needs MaxJr lettuceSlice) (needs MaxJr sauteedBeef)
    (needs MaxJr cheese) (needs MaxJr bread)
    (= (made-in lettuceSlice) chopboard) (needs lettuceSlice lettuce)
    (= (made-in Hopper) mixer) (needs Hopper tomatoSlice) (needs Hopper lettuceSlice)
    (needs Hopper sauteedBeef) (needs Hopper bread)
    (= (made-in tomatoSlice) chopboard) (needs tomatoSlice tomato))
  (:horizon 60)
  (:metric maximize (completed)))
