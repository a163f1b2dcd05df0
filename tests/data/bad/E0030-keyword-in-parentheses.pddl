(define (domain kitchen)
  (:predicates (clean ?x) (wet ?x))
  (:action wash
    (:parameters (?x))
    (:effect (clean ?x))))
