; Orders: alpha 3, seed 0, episode 0, recorded draws. One comes every 20 steps.
(define (stream alpha-3-seed-0-episode-0)
  (:domain cuisineworld)
  (:problem level-5)
  (:objects order0 order1 order2 order3 - order)
  (:init
    (= (wants order0) beefPasta) (= (due order0) 50)
    (waiting order0) (at 50 (overdue order0))
    (= (wants order1) beefPasta) (= (due order1) 70)
    (at 20 :unannounced (waiting order1))
    (= (wants order2) tomatoPasta) (= (due order2) 88)
    (at 40 :unannounced (waiting order2))
    (= (wants order3) beefPasta) (= (due order3) 110)
    (at 60 :unannounced (waiting order3))))
