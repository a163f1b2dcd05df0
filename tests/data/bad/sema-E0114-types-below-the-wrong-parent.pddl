(define (domain bakery)
  (:requirements :typing :multi-agent)
  (:types cook item station - object oven tray - item)
  (:constants baker porter - cook)
  (:predicates (at ?c - cook ?s - station) (next ?from ?to - station) (has ?c - cook ?i - item) (in ?i - item ?o - oven))
  (:action walk
    :agent ?c - cook
    :parameters (?from ?to - station)
    :precondition (and (at ?c ?from) (next ?from ?to))
    :effect (and (not (at ?c ?from)) (at ?c ?to)))
  (:action put
    :agent ?c - cook
    :parameters (?i - item ?o - oven)
    :precondition (and (has ?c ?i) (at ?c ?o))
    :effect (and (in ?i ?o) (not (has ?c ?i)))))
(define (problem morning)
  (:domain bakery)
  (:objects oven1 - oven tray1 - tray loaf bun - item)
  (:init (at baker tray1) (at porter tray1) (next tray1 oven1) (next oven1 tray1) (has baker loaf) (has porter bun))
  (:goal (and (in loaf oven1) (in bun oven1))))
