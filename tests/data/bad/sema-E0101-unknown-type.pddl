(define (domain kitchen)
  (:requirements :typing)
  (:types stove plate - surface  surface)
  (:predicates (on ?i - item ?s - surfase))
  (:action move
    :parameters (?i - item ?from ?to - (either stove tabel))
    :precondition (on ?i ?from)
    :effect (and (not (on ?i ?from)) (on ?i ?to))))
