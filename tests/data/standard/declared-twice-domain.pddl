(define (domain rooms)
  (:requirements :strips :strips :typing)
  (:types room - object robot - object object)
  (:constants hall - room robby)
  (:predicates (in ?r - room) (door ?a ?b - room))
  (:action go
    :parameters (?a ?b - room)
    :precondition (and (in ?a) (door ?a ?b) (door ?a ?b))
    :effect (and (in ?b) (not (in ?a)))))
