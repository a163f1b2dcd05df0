(define (domain kitchen)
  (:requirements :delayed-effects)
  (:predicates (lit) (warm) (hot))
  (:action light :effect (and (lit) (after :while (lit) (warm)) (after 3 while (lit) (hot)))))
