; As the storage domain of the planning competition has it: what is listed twice has the parents of both.
(define (domain storage)
  (:requirements :typing)
  (:types surface area - object  store - area  area crate - surface)
  (:predicates (on ?c - crate ?s - surface))
  (:action put :parameters (?c - crate ?s - store) :effect (on ?c ?s)))

(define (problem one)
  (:domain storage)
  (:objects k - crate st - store)
  (:init)
  (:goal (on k st)))
