; The pot takes two things by its facts, and a soup takes three.
(define (domain stewing)
  (:requirements :typing :multi-agent :numeric-fluents :bounded-numbers)
  (:types cook recipe pot)
  (:predicates (made ?r - recipe))
  (:functions
    (load ?p - pot) - (int 0 9)
    (width ?r - recipe) (capacity ?p - pot) - number)
  (:action add
    :agent ?c - cook
    :parameters (?p - pot)
    :precondition (< (load ?p) (capacity ?p))
    :effect (increase (load ?p) 1))
  (:action boil
    :agent ?c - cook
    :parameters (?r - recipe ?p - pot)
    :precondition (>= (load ?p) (width ?r))
    :effect (made ?r)))

(define (problem soup-in-a-small-pot)
  (:domain stewing)
  (:objects ann - cook soup stew - recipe small smaller - pot)
  (:init (= (width soup) 3) (= (width stew) 2) (= (capacity small) 2) (= (capacity smaller) 1))
  (:goal (and (made stew) (made soup))))
