(define (domain kitchen)
  (:predicates (clean ?x))
  (:functions (heat))
  (:action wash
    :parameters (?x)
    :precondition (and (clean "cup") (= (not (clean ?x)) ?x) (clean ((heat))) (clean ()))
    :effect (assign 3 4)))
