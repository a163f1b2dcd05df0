(define (domain kitchen)
  (:predicates (clean ?x) (ready))
  (:functions (heat))
  (:action wash
    :parameters (?x)
    :effect (and ready (= (heat) 3) (or (ready) (clean ?x)) (imply (ready) (clean ?x))
      ((ready) (clean ?x)) (not (not (ready))) (not ready))))
