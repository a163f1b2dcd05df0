(define (domain kitchen)
  (:predicates (clean ?x) (wet ?x))
  (:action wash
    :parameters (?x)
    :precondition (and (not (clean ?x)) (wet ?x)
    :effect (clean ?x))
  (:action dry
    :parameters (?x)
    :effcet (not (wet ?x))))
