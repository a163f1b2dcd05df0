; 4 cooks: those beside the one of every level.
(define (stream cooks-4)
  (:domain cuisineworld)
  (:objects agent1 agent2 agent3 - cook)
  (:init (= (at agent1) servingtable0) (= (at agent2) servingtable0) (= (at agent3) servingtable0)))
