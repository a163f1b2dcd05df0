; The chef is told what is in the pantry, but not what is served already.
(define (domain kitchen)
  (:requirements :typing :multi-agent :text)
  (:types cook food)
  (:predicates
    (in-pantry ?x - food :text "there is {?x} in the pantry")
    (held ?c - cook ?x - food :text "{?c} holds {?x}")
    (served-at-table ?x - food))
  (:action fetch
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (in-pantry ?x)
    :effect (and (held ?c ?x) (not (in-pantry ?x)))
    :text "fetch {?x}")
  (:action serve
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (held ?c ?x)
    :effect (and (served-at-table ?x) (not (held ?c ?x)))
    :text "serve {?x}"))

(define (problem lunch)
  (:domain kitchen)
  (:objects chef - cook soup stew - food)
  (:init (in-pantry soup) (in-pantry stew))
  (:goal (and (served-at-table soup) (served-at-table stew))))
