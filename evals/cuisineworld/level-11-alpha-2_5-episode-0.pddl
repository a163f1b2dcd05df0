; Orders: alpha 2.5, seed 0, episode 0, recorded draws. One comes every 16 steps.
(define (stream alpha-2.5-seed-0-episode-0)
  (:domain cuisineworld)
  (:problem level-11)
  (:objects order0 order1 order2 order3 - order)
  (:init
    (= (wants order0) salmonSushi) (= (due order0) 32)
    (waiting order0) (at 32 (overdue order0))
    (= (wants order1) salmonSushi) (= (due order1) 48)
    (at 16 :unannounced (waiting order1)) (at 48 (overdue order1))
    (= (wants order2) BurritodePastor) (= (due order2) 72)
    (at 32 :unannounced (waiting order2))
    (= (wants order3) BurritodePollo) (= (due order3) 88)
    (at 48 :unannounced (waiting order3))))
