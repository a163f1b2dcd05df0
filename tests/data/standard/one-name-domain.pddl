; One name for a type, a predicate, an action, an object and a parameter.
(define (domain cook)
  (:requirements :typing)
  (:types cook dish)
  (:predicates (cook ?cook - dish) (dish ?dish - dish))
  (:action cook
    :parameters (?cook - cook ?dish - dish)
    :precondition (dish ?dish)
    :effect (cook ?dish))
  (:action dish
    :parameters (?object - dish)
    :precondition ()
    :effect (dish ?object)))
