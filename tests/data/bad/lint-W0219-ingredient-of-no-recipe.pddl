(define (domain kitchen)
  (:requirements :typing :multi-agent :object-fluents)
  (:types cook food utensil room - object)
  (:constants
    tomato tomato-slices tomato-soup onion onion-rings fried-onion leek - food
    pot pan oven - utensil)
  (:predicates
    (in-pantry ?x - food)
    (clean ?u - utensil)
    (makes ?u - utensil ?from ?to - food)
    (stands-in ?u - utensil ?r - room)
    (served ?x - food))
  (:functions (holds ?c - cook) - food (becomes ?x - food) - food)
  (:facts (= (becomes tomato) tomato-slices) (= (becomes onion) onion-rings)
          (makes pot tomato-slices tomato-soup) (makes pan onion-rings fried-onion))
  (:action fetch
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (in-pantry ?x)
    :effect (assign (holds ?c) ?x))
  (:action cut
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (= (holds ?c) ?x) (not (= (becomes ?x) undefined)))
    :effect (assign (holds ?c) (becomes ?x)))
  (:action wash
    :agent ?c - cook
    :parameters (?u - utensil)
    :effect (clean ?u))
  (:action cook
    :agent ?c - cook
    :parameters (?u - utensil ?from ?to - food ?r - room)
    :precondition (and (clean ?u) (stands-in ?u ?r) (= (holds ?c) ?from) (makes ?u ?from ?to))
    :effect (assign (holds ?c) ?to))
  (:action serve
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (= (holds ?c) ?x)
    :effect (served ?x)))

(define (problem soup)
  (:domain kitchen)
  (:objects ann bob - cook small large - room celery - food wok - utensil)
  (:init (in-pantry tomato) (in-pantry onion) (in-pantry leek) (in-pantry celery)
         (stands-in pot small) (stands-in pan large))
  (:goal (served tomato-soup)))
