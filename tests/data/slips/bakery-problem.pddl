(define (problem morning)
  (:domain bakery)
  (:objects
    oven1 - oven
    tray1 - tray)
  (:init
    (at baker tray1) (at porter tray1) (idle baker) (idle porter)
    (next tray1 oven1) (next oven1 tray1)
    (stocked dough) (stocked bun-dough)
    (bakes-to dough loaf) (bakes-to bun-dough bun)
    (= (time dough) 3) (= (time bun-dough) 2)
    (= (capacity tray1) 2))
  (:goal (and (served loaf) (served bun))))
