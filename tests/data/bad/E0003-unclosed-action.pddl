(define (domain kitchen)
  (:predicates (clean ?x) (wet ?x))
  (:action wash
    :parameters (?x)
    :precondition (not (clean ?x))
    :effect (and (clean ?x) (wet ?x))
  (:action dry
    :parameters (?x)
    :precondition (wet ?x)
    :effect (not (wet ?x) (clean ?x))))
