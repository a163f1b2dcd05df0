; Two dishes are served: one order is changed while its first dish is prepared, one is cancelled.
(define (problem lunch)
  (:domain order-rush)
  (:objects order1 order2 order3 - order)
  (:init
    (= (wants order1) salad)
    (at 2 (= (wants order2) onion-soup)) (at 5 (= (wants order2) fries))
    (at 4 (= (wants order3) baked-fish)) (at 9 (cancelled order3)))
  (:goal
    (forall (?o - order) (or (served ?o) (cancelled ?o)))
    :text "Serve every order that is not cancelled."))
