(define (domain kitchen)
  (:types - item cup plate -)
  (:constants red -cup)
  (:predicates (clean ?x - item))
  (:action wash
    :parameters ?x
    :effect (forall ?y (clean ?y))))
