(define (domain kitchen)
  (:predicates (clean x))
  (:action wash
    :parameters ((?x - item) 3)
    :effect (forall ((?y)) (clean ?y))))
