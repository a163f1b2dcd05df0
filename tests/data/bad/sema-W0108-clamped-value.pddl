(define (domain kitchen)
  (:requirements :bounded-numbers)
  (:functions (heat) - (int 0 9))
  (:action warm :parameters () :effect (assign (heat) 10)))
