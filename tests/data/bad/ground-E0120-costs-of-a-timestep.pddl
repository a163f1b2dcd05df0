; Each cook costs what fits, both together do not.
(define (domain feast)
  (:requirements :action-costs :multi-agent :typing)
  (:types cook)
  (:constants ann bob - cook)
  (:predicates (done ?c - cook))
  (:functions (total-cost))
  (:action cook
    :agent ?c - cook
    :effect (and (done ?c) (increase (total-cost) 600000000000000.001))))

(define (problem feast-1)
  (:domain feast)
  (:init (= (total-cost) 0))
  (:goal (and (done ann) (done bob)))
  (:metric minimize (* 9 (total-cost))))
