; Orders: alpha 2.5, seed 0, episode 1, recorded draws. One comes every 17 steps.
(define (stream alpha-2.5-seed-0-episode-1)
  (:domain cuisineworld)
  (:problem level-5)
  (:objects order0 order1 order2 order3 - order)
  (:init
    (= (wants order0) porkPasta) (= (due order0) 42)
    (waiting order0) (at 42 (overdue order0))
    (= (wants order1) beefPasta) (= (due order1) 59)
    (at 17 :unannounced (waiting order1)) (at 59 (overdue order1))
    (= (wants order2) beefPasta) (= (due order2) 76)
    (at 34 :unannounced (waiting order2))
    (= (wants order3) beefPasta) (= (due order3) 93)
    (at 51 :unannounced (waiting order3))))
