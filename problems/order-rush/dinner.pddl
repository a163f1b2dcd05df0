; Three dishes are served; stove and oven are needed at the same time.
(define (problem dinner)
  (:domain order-rush)
  (:objects order1 order2 order3 order4 - order)
  (:init
    (= (wants order1) baked-fish)
    (at 1 (= (wants order2) onion-soup))
    (at 3 (= (wants order3) fries)) (at 6 (= (wants order3) salad))
    (at 5 (= (wants order4) fries)) (at 8 (cancelled order4)))
  (:goal
    (forall (?o - order) (or (served ?o) (cancelled ?o)))
    :text "Serve every order that is not cancelled."))
