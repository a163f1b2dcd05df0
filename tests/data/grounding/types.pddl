; Arguments and values of a supertype: what is not of the type is as if it were undefined.
(define (domain types)
  (:requirements :adl :multi-agent :object-fluents :options :bounded-numbers :aggregates
    :derived-predicates :sequential-effects)
  (:turns MODE)
  (:types cook thing - object food tool - thing)
  (:constants knife - tool egg fig - food)
  (:predicates (eaten ?f - food) (sharp ?t - tool) (seen ?t - thing) (odd ?f - food))
  (:functions (held ?c - cook) - thing (meal ?c - cook) - food (worth ?f - food) - (int 1 3)
    (best) - food)
  (:derived (odd ?f - food) (exists (?t - thing) (and (= ?t (best)) (not (eaten ?t)) (= ?t ?f))))
  (:action take :agent ?c - cook :parameters (?t - thing)
    :effect (and (assign (held ?c) ?t) (assign (meal ?c) ?t) (seen ?t)))
  (:action use :agent ?c - cook
    :precondition (not (eaten (held ?c)))
    :effect (and (eaten (held ?c)) (sharp (held ?c)) (increase (worth (held ?c)) 1)))
  (:action swap :agent ?c - cook
    :precondition (not (= (held ?c) undefined))
    :effect (and (assign (meal ?c) (held ?c)) (assign (held ?c) undefined)))
  (:action choose :agent ?c - cook
    :effect (let ((?t (argmax (?t - thing) (or (seen ?t) (sharp ?t)) (worth ?t) :ties (worth (held ?c)))))
              (and (assign (best) ?t) (do (chew ?t)))
              :else (assign (best) (held ?c))))
  (:action chew :primitive :parameters (?f - food)
    :precondition (not (eaten ?f))
    :effect (and (eaten ?f) (decrease (worth ?f) 1)))
  (:action rest :agent ?c - cook
    :precondition (or (odd (held ?c)) (exists (?t - thing) (eaten ?t)))
    :effect (forall (?t - thing) (and (not (eaten ?t)) (not (seen ?t))))))
(define (problem types-1) (:domain types)
  (:objects ann bob - cook)
  (:init (= (meal ann) egg) (= (worth fig) 2))
  (:goal (and (eaten egg) (eaten fig) (sharp knife) (odd fig))))
