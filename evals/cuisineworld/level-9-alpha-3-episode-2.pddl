; Orders: alpha 3, seed 0, episode 2, recorded draws. One comes every 23 steps.
(define (stream alpha-3-seed-0-episode-2)
  (:domain cuisineworld)
  (:problem level-9)
  (:objects order0 order1 order2 - order)
  (:init
    (= (wants order0) MaxJr) (= (due order0) 50)
    (waiting order0) (at 50 (overdue order0))
    (= (wants order1) MaxJr) (= (due order1) 73)
    (at 23 :unannounced (waiting order1))
    (= (wants order2) MaxJr) (= (due order2) 96)
    (at 46 :unannounced (waiting order2))))
