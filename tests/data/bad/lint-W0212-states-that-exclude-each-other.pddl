; Where the states exclude each other a log says which of two was done: the pot cannot be both full and
; empty, and what is neither raw nor burnt is not raw. Only stirring has one label for two actions.
(define (domain kitchen)
  (:requirements :typing :multi-agent :text :bounded-numbers :negative-preconditions
                 :disjunctive-preconditions)
  (:types cook food)
  (:predicates (raw ?x - food) (burnt ?x - food) (stirred))
  (:functions (in-pot) - (int 0 3))
  (:action add
    :agent ?c - cook
    :precondition (<= (in-pot) 1)
    :effect (increase (in-pot) 1)
    :label "pot")
  (:action serve
    :agent ?c - cook
    :precondition (> (in-pot) 1)
    :effect (assign (in-pot) 0)
    :label "pot")
  (:action spoil
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (or (raw ?x) (burnt ?x))
    :effect (and (burnt ?x) (not (raw ?x)))
    :label "turn({?x})")
  (:action turn
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (not (raw ?x)) (not (burnt ?x)))
    :effect (raw ?x)
    :label "turn({?x})")
  (:action cool
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (burnt ?x)
    :effect (not (burnt ?x))
    :label "cool({?x})")
  (:action stir
    :agent ?c - cook
    :precondition (>= (in-pot) 1)
    :effect (stirred)
    :label "stir")
  (:action beat
    :agent ?c - cook
    :precondition (<= (in-pot) 2)
    :effect (not (stirred))
    :label "stir"))

(define (problem supper)
  (:domain kitchen)
  (:objects chef - cook egg - food)
  (:init (raw egg))
  (:goal (and (stirred) (burnt egg) (= (in-pot) 0))))
