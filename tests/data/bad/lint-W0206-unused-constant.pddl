(define (domain wash)
  (:requirements :typing)
  (:types cup sink)
  (:constants left-sink - sink)
  (:predicates (clean ?x - cup))
  (:action wash
    :parameters (?x - cup)
    :effect (clean ?x)))
