; Level 4 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-4)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    chopboard0 chopboard1 mixer0 mixer1 - tool
    tomatoSalad tomatoLettuceSalad tomatoCucumberSalad lettuceSalad - dish
    tomatoSlice lettuceSlice cucumberSlice - product)
  (:init
    (= (at agent0) servingtable0)
    (stocked tomato) (stocked lettuce) (stocked cucumber)
    (= (kind-of chopboard0) chopboard)
    (= (kind-of chopboard1) chopboard)
    (= (kind-of mixer0) mixer)
    (= (kind-of mixer1) mixer)
    (= (made-in tomatoSalad) mixer) (needs tomatoSalad tomatoSlice)
    (= (made-in tomatoSlice) chopboard) (needs tomatoSlice tomato)
    (= (made-in tomatoLettuceSalad) mixer) (needs tomatoLettuceSalad tomatoSlice)
    (needs tomatoLettuceSalad lettuceSlice)
    (= (made-in lettuceSlice) chopboard) (needs lettuceSlice lettuce)
    (= (made-in tomatoCucumberSalad) mixer) (needs tomatoCucumberSalad tomatoSlice)
    (needs tomatoCucumberSalad cucumberSlice)
    (= (made-in cucumberSlice) chopboard) (needs cucumberSlice cucumber)
    (= (made-in lettuceSalad) mixer) (needs lettuceSalad lettuceSlice))
  (:horizon 60)
  (:metric maximize (completed)))
