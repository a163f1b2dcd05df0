; Level 6 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-6)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    blender0 blender1 oven0 oven1 - tool
    pepperoniPizza hawaiianPizza chickenPizza - dish
    tomatoSauce - product)
  (:init
    (= (at agent0) servingtable0)
    (stocked pepperoni) (stocked cheese) (stocked dough) (stocked tomato) (stocked pork)
    (stocked chicken)
    (= (kind-of blender0) blender)
    (= (kind-of blender1) blender)
    (= (kind-of oven0) oven)
    (= (kind-of oven1) oven)
    (= (made-in pepperoniPizza) oven) (needs pepperoniPizza tomatoSauce)
    (needs pepperoniPizza pepperoni) (needs pepperoniPizza cheese) (needs pepperoniPizza dough)
    (= (made-in tomatoSauce) blender) (needs tomatoSauce tomato)
    (= (made-in hawaiianPizza) oven) (needs hawaiianPizza tomatoSauce) (needs hawaiianPizza pork)
    (needs hawaiianPizza cheese) (needs hawaiianPizza dough)
    (= (made-in chickenPizza) oven) (needs chickenPizza tomatoSauce) (needs chickenPizza chicken)
    (needs chickenPizza cheese) (needs chickenPizza dough))
  (:horizon 60)
  (:metric maximize (completed)))
