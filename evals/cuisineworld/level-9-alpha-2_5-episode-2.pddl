; Orders: alpha 2.5, seed 0, episode 2, recorded draws. One comes every 19 steps.
(define (stream alpha-2.5-seed-0-episode-2)
  (:domain cuisineworld)
  (:problem level-9)
  (:objects order0 order1 order2 order3 - order)
  (:init
    (= (wants order0) MaxJr) (= (due order0) 42)
    (waiting order0) (at 42 (overdue order0))
    (= (wants order1) MaxJr) (= (due order1) 61)
    (at 19 :unannounced (waiting order1))
    (= (wants order2) Hopper) (= (due order2) 85)
    (at 38 :unannounced (waiting order2))
    (= (wants order3) cheeseBurger) (= (due order3) 87)
    (at 57 :unannounced (waiting order3))))
