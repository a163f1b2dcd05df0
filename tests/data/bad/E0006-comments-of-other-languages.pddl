// A kitchen with one pot.
(define (domain comments)
  (:requirements :strips)
  # what is there
  (:predicates (clean)) // of the pot
  /* Washing it
     takes (at least) one action. */
  (:action wash
    :effect (clean))) # that's all
