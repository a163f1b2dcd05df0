(define (domain laundry)
  (:requirements :typing)
  (:types worker load object - place)
  (:predicates (clean ?l - load) (at ?l - load ?p - place) (in ?w - worker ?p - place))
  (:action wash
    :parameters (?w - worker ?l - load ?p - place)
    :precondition (and (in ?w ?p) (at ?l ?p))
    :effect (clean ?l)))
