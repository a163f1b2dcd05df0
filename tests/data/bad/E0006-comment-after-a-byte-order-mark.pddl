% A kitchen.
(define (domain kitchen)
  (:predicates (lit))
  (:action light :effect (lit)))
