(define (domain lamps)
  (:requirements :typing :negative-preconditions :numeric-fluents)
  (:types lamp)
  (:constants hall attic - lamp)

  (:functions (watts ?l - lamp) - number (most) - number)
  (:action light
    :parameters (?l - lamp)
    :precondition (and (not (broken ?l)) (not (lit hall)) (<= (watts ?l) (most)))
    :effect (and (lit ?l) (not (lit attic)))))
