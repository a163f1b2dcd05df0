(define (domain numbers)
  (:requirements :typing :numeric-fluents :bounded-numbers)
  (:types pot)
  (:functions (water ?p - pot) - integer (salt ?p - pot) - int (hot ?p - pot) - bool
    (lids) - int (0 3) (spoons) - 0 9 (cups) - int(0, 9)))
