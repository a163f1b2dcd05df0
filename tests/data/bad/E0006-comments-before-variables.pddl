(define (domain d)
  (:predicates (p ?x) (q ?x))
  (:action a
    :parameters (?x)
    :precondition (and (p ?x) #?x is p
                       (q ?x))
    --?x is q
    :effect (not (p ?x))))
