; Orders that come in and lapse. Whoever plans ahead cooks before they come.
(define (problem orders)
  (:domain minecraft-kitchen)
  (:objects
    alex steve - player
    meadow quarry - place
    furnace1 - furnace
    chest1 - chest
    order1 order2 order3 order4 - order)
  (:init
    (= (at alex) furnace1) (= (at steve) furnace1)
    (lives pig meadow) (lives sheep meadow) (lies tree meadow) (lies coal-ore quarry)
    (= (wants order1) cooked-mutton) (waiting order1)
    (= (due order1) 14) (at 14 (overdue order1))
    (= (wants order2) cooked-porkchop) (at 6 (waiting order2))
    (= (due order2) 20) (at 20 (overdue order2))
    (= (wants order3) cooked-mutton) (at 12 (waiting order3))
    (= (due order3) 26) (at 26 (overdue order3))
    (= (wants order4) cooked-porkchop) (at 18 (waiting order4))
    (= (due order4) 32))
  (:metric maximize (completed))
  (:horizon 30))
