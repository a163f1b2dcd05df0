; The keyword declares nothing, so that the names are looked up all the same.
(define (domain bakery)
  (:requirements :typing)
  (:types dough)
  (:predicates (kneaded ?d - dough) (baked ?d - dough))
  (:action bake
    :parameters (?d - dough)
    :colour red
    :precondition (knaded ?d)
    :effect (baked ?dd)))
