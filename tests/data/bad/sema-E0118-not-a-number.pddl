(define (domain kitchen)
  (:requirements :typing :object-fluents :bounded-numbers)
  (:types cook item)
  (:functions (held ?c - cook) - item (heat) - (int 0 9))
  (:action take
    :parameters (?c - cook ?i - item)
    :precondition (and (< (held ?c) 3) (= (heat) ?i))
    :effect (and (increase (held ?c) 1) (assign (heat) ?i))))

(define (problem lunch)
  (:domain kitchen)
  (:objects ada - cook)
  (:init (= (heat) (heat)))
  (:goal (= (heat) ada)))
