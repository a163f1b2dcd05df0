(define (domain lamps)
  (:requirements :typing :durative-actions :negative-preconditions)
  (:types lamp)
  (:predicates (lit ?l - lamp) (warm ?l - lamp) (plugged ?l - lamp))
  (:action light
    :parameters (?l - lamp)
    :precondition (at start (not (lit ?l)))
    :effect (at end (lit ?l)))
  (:action heat
    :parameters (?l - lamp)
    :duration (= ?duration 3)
    :condition (and (at start (lit ?l)) (over all (plugged ?l)))
    :effect (at end (warm ?l)))
  (:durative-action cool
    :parameters (?l - lamp)
    :duration (= ?duration 3)
    :condition (and (at-start (warm ?l)) (overall (plugged ?l)))
    :effect (end (not (warm ?l)))))
