(define (domain lamps)
  (:requirements :typing :negative-preconditions :numeric-fluents)
  (:types lamp)
  (:constants hall attic - lamp)
  (:predicates (lit ?l - lamp) (broken ?l - lamp))

  (:action light
    :parameters (?l - lamp)
    :precondition (and (not (broken ?l)) (not (lit hall)) (<= (watts ?l) (most)))
    :effect (and (lit ?l) (not (lit attic)))))
