; 2 cooks: those beside the one of every level.
(define (stream cooks-2)
  (:domain cuisineworld)
  (:objects agent1 - cook)
  (:init (= (at agent1) servingtable0)))
