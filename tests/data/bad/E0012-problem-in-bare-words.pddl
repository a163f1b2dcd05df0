(define (problem bare)
  :domain kitchen
  some words of prose
  (:objects pan - pot)
  (:init (clean pan))
  (:goal (clean pan)))
