(define (domain kitchen)
  (:requirements :text)
  (:predicates (lit))
  (:action light :effect (lit) :label ""))
