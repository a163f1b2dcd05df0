; Four dishes are served, two of them from the stove, which takes one at a time.
(define (problem banquet)
  (:domain order-rush)
  (:objects order1 order2 order3 order4 order5 - order)
  (:init
    (= (wants order1) onion-soup)
    (= (wants order2) salad)
    (at 3 (= (wants order3) baked-fish)) (at 7 (= (wants order3) fries))
    (at 6 (= (wants order4) baked-fish))
    (at 8 (= (wants order5) salad)) (at 12 (cancelled order5)))
  (:goal
    (forall (?o - order) (or (served ?o) (cancelled ?o)))
    :text "Serve every order that is not cancelled."))
