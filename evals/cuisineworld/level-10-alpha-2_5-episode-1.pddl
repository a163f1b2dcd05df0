; Orders: alpha 2.5, seed 0, episode 1, recorded draws. One comes every 16 steps.
(define (stream alpha-2.5-seed-0-episode-1)
  (:domain cuisineworld)
  (:problem level-10)
  (:objects order0 order1 order2 order3 - order)
  (:init
    (= (wants order0) BurritodePollo) (= (due order0) 40)
    (waiting order0) (at 40 (overdue order0))
    (= (wants order1) BurritodeAsada) (= (due order1) 56)
    (at 16 :unannounced (waiting order1)) (at 56 (overdue order1))
    (= (wants order2) BurritodeAsada) (= (due order2) 72)
    (at 32 :unannounced (waiting order2))
    (= (wants order3) BurritodeAsada) (= (due order3) 88)
    (at 48 :unannounced (waiting order3))))
