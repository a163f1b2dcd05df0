; optimum 2
(define (problem lines-1)
  (:domain lines)
  (:objects s m e - node)
  (:init (source s) (wire s m) (wire m e))
  (:goal (forall (?n - node) (fed ?n))))
