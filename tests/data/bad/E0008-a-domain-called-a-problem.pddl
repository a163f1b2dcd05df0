; A bakery: dough is kneaded, put on a tray of a certain capacity, and baked for a time of its own.
(define (problem bakery)
  (:requirements :typing :negative-preconditions :equality :multi-agent :numeric-fluents
                 :bounded-numbers :delayed-effects :text)
  (:types
    cook item station - object
    oven tray - station)
  (:constants
    baker porter - cook
    dough loaf bun-dough bun - item)
  (:predicates
    (at ?c - cook ?s - station)
    (has ?c - cook ?i - item)
    (idle ?c - cook)
    (on ?i - item ?t - tray)
    (in-oven ?i - item ?o - oven)
    (bakes-to ?from ?to - item)
    (next ?from ?to - station)
    (stocked ?i - item)
    (baked ?i - item)
    (served ?i - item))
  (:functions
    (load ?t - tray) - (int 0 2)
    (capacity ?t - tray) - number
    (time ?i - item) - number)

  (:action walk
    :agent ?c - cook
    :parameters (?from ?to - station)
    :precondition (and (at ?c ?from) (next ?from ?to))
    :effect (and (not (at ?c ?from)) (at ?c ?to))
    :label "walk({?to})")

  (:action knead
    :agent ?c - cook
    :parameters (?i - item)
    :precondition (and (stocked ?i) (idle ?c))
    :effect (and (has ?c ?i) (not (idle ?c)))
    :label "knead({?i})")

  (:action put
    :agent ?c - cook
    :parameters (?i - item ?t - tray)
    :precondition (and (has ?c ?i) (at ?c ?t) (< (load ?t) (capacity ?t)))
    :effect (and (on ?i ?t) (not (has ?c ?i)) (idle ?c) (increase (load ?t) 1))
    :label "put({?i}, {?t})")

  (:action bake
    :agent ?c - cook
    :parameters (?i ?b - item ?t - tray ?o - oven)
    :precondition (and (on ?i ?t) (at ?c ?o) (next ?t ?o) (bakes-to ?i ?b) (not (in-oven ?i ?o)))
    :effect (and (not (on ?i ?t))
                 (decrease (load ?t) 1)
                 (in-oven ?i ?o)
                 (after (time ?i) (and (not (in-oven ?i ?o)) (baked ?b))))
    :label "bake({?i})")

  (:action serve
    :agent ?c - cook
    :parameters (?b - item)
    :precondition (and (baked ?b) (idle ?c))
    :effect (and (served ?b) (not (baked ?b)))
    :label "serve({?b})"))
