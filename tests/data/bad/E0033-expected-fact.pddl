(define (problem breakfast)
  (:domain kitchen)
  (:init
    (and (clean cup) (clean plate))
    clean
    (forall (?x) (clean ?x))
    (= (heat))
    (at 5 (at 6 (clean cup)))
    (not (= a b)))
  (:goal (clean cup)))
