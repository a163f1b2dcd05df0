(DEFINE (DOMAIN Ferry)
  (:REQUIREMENTS :Typing :STRIPS :Negative-Preconditions)
  (:TYPES Car Port)
  (:PREDICATES (At ?C - CAR ?p - port) (AT-FERRY ?p - Port) (On-Board ?c - car) (busy))
  (:ACTION Sail
    :PARAMETERS (?From ?TO - Port)
    :Precondition (AND (At-Ferry ?FROM) (NOT (= ?from ?to)))
    :EFFECT (And (at-ferry ?to) (Not (AT-ferry ?From))))
  (:action BOARD
    :parameters (?C - car ?P - PORT)
    :PRECONDITION (and (at ?c ?p) (at-ferry ?p) (not (BUSY)))
    :effect (and (on-board ?c) (busy) (not (AT ?C ?P))))
  (:Action debark
    :Parameters (?c - CAR ?p - port)
    :precondition (and (ON-BOARD ?c) (at-ferry ?p))
    :Effect (and (at ?c ?p) (not (busy)) (not (on-board ?c)))))
