; optimum 1
(define (problem words-1)
  (:goal (and (log end) (case end) (let) (seq)))
  (:init (at start) (after end) (object end))
  (:objects end)
  (:domain words))
