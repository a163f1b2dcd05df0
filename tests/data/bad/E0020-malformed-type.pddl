(define (domain kitchen)
  (:requirements :bounded-numbers)
  (:types cup - 3 plate - (or cup) dish - (either))
  (:functions (heat) - (int 9 1) (cold) - "x"))
