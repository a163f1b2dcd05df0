; Orders: alpha 3, seed 0, episode 0, recorded draws. One comes every 16 steps.
(define (stream alpha-3-seed-0-episode-0)
  (:domain cuisineworld)
  (:problem level-3)
  (:objects order0 order1 order2 order3 - order)
  (:init
    (= (wants order0) tunaSushi) (= (due order0) 39)
    (waiting order0) (at 39 (overdue order0))
    (= (wants order1) tunaSushi) (= (due order1) 55)
    (at 16 :unannounced (waiting order1)) (at 55 (overdue order1))
    (= (wants order2) salmonSushi) (= (due order2) 71)
    (at 32 :unannounced (waiting order2))
    (= (wants order3) tunaSushi) (= (due order3) 87)
    (at 48 :unannounced (waiting order3))))
