; A tray is carried once it holds four plates, but no plate is added to three.
(define (domain waiter)
  (:requirements :strips :negative-preconditions :fluents :bounded-numbers)
  (:predicates (carried) (greeted))
  (:functions (plates) - (int 0 6))
  (:action greet
    :effect (greeted))
  (:action load
    :precondition (not (>= (plates) 3))
    :effect (increase (plates) 1))
  (:action carry
    :precondition (> (plates) 3)
    :effect (and (carried) (assign (plates) 0))))

(define (problem evening)
  (:domain waiter)
  (:init)
  (:goal (greeted)))
