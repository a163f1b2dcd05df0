(define (domain facts)
  (:requirements :typing :text)
  (:types pot)
  (:predicates (clean ?p - pot :text "{?p} is clean" (dry ?p - pot)
    (near ?p ?q - pot
      :text "{?p} is near {?q}"))
  (:constants a b - pot)
  (:facts (near a b (near b a)
    (clean a))
  (:action wash
    :parameters (?p - pot)
    :precondition (dry ?p)
    :effect (clean ?p)))
