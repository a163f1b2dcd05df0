(define (domain kitchen)
  (:predicates (clean ?x) (wet ?x))
  :action wash
    :parameters (?x)
    :effect (clean ?x))
  (:action dry
    :parameters ?x)
    :precondition (wet ?x)
    :effect (not (wet ?x)))
  (:action stack
    :parameters (?x)
    :efect (clean ?x)))
