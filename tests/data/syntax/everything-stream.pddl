; Every construct of a stream.
(define (stream everything)
  (:domain everything)
  (:problem everything-1)
  (:requirements :typing :timed-initial-literals)
  (:objects
    carl - cook
    bowl - (either place item)
    spoon - item)
  (:init
    (at carl counter)
    (not (open-door))
    (= (held carl) spoon) (= (heat hob) 3)
    (at 5 (open-door)) (at 7 (not (open-door)))
    (at 9 (= (heat hob) 0))))
