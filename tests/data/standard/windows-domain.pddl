(define (domain windows)
  (:requirements :strips) ; a comment
  (:predicates (p) (q))
  (:action a
    :parameters ()
    :precondition (p)
    :effect (q)))
; the end