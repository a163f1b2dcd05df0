(define (domain kitchen)
  (:predicates (clean ?x))
  ((:action wash
     :parameters (?x)
     :effect (clean ?x))))
