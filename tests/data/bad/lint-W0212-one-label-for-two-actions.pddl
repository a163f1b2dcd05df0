(define (domain kitchen)
  (:requirements :typing :multi-agent :text)
  (:types cook food)
  (:predicates (boiled ?x - food) (fried ?x - food))
  (:action boil
    :agent ?c - cook
    :parameters (?x - food)
    :effect (boiled ?x)
    :label "cook({?x})")
  (:action fry
    :agent ?c - cook
    :parameters (?x - food)
    :effect (fried ?x)
    :label "cook({?x})"))

(define (problem supper)
  (:domain kitchen)
  (:objects chef - cook egg - food)
  (:init)
  (:goal (and (boiled egg) (fried egg))))
