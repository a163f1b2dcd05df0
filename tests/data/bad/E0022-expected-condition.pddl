(define (domain kitchen)
  (:predicates (clean ?x) (ready))
  (:action wash
    :parameters (?x)
    :precondition ready
    :effect (when ((clean ?x) (ready)) (ready)))
  (:action dry
    :parameters (?x)
    :precondition (and (when (ready) (clean ?x)) 3 :text)))
