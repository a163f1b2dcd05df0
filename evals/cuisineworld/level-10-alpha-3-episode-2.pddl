; Orders: alpha 3, seed 0, episode 2, recorded draws. One comes every 19 steps.
(define (stream alpha-3-seed-0-episode-2)
  (:domain cuisineworld)
  (:problem level-10)
  (:objects order0 order1 order2 order3 - order)
  (:init
    (= (wants order0) BurritodeAsada) (= (due order0) 48)
    (waiting order0) (at 48 (overdue order0))
    (= (wants order1) BurritodeAsada) (= (due order1) 67)
    (at 19 :unannounced (waiting order1))
    (= (wants order2) BurritodePollo) (= (due order2) 86)
    (at 38 :unannounced (waiting order2))
    (= (wants order3) BurritodePastor) (= (due order3) 105)
    (at 57 :unannounced (waiting order3))))
