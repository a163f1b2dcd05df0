(define (domain kitchen)
  (:requirements :typing :bounded-numbers)
  (:types stove)
  (:functions (heat ?s - stove) - (int 0 9))
  (:action warm
    :parameters (?s - stove)
    :precondition (< (haet ?s) 9)
    :effect (increase (temperature ?s) 1)))
