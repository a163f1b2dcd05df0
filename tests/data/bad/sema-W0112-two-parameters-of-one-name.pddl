; Which of the two `?d` is which: nothing says so.
(define (domain pizza)
  (:requirements :typing)
  (:types dough topping)
  (:predicates (topped ?d - dough ?d - topping) (flat ?d - dough))
  (:action roll
    :parameters (?d - dough)
    :effect (flat ?d))
  (:action top
    :parameters (?d - dough ?t - topping)
    :precondition (flat ?d)
    :effect (topped ?d ?t)))
