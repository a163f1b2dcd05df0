(define (domain wash)
  (:requirements :typing :object-fluents)
  (:types cup shelf)
  (:predicates (dirty ?x - cup) (clean ?x - cup) (wet ?x - cup))
  (:functions (last-washed) - cup)
  (:action wash
    :parameters (?x - cup)
    :precondition (dirty ?x)
    :effect (and (clean ?x) (not (dirty ?x)) (wet ?x) (assign (last-washed) ?x)))
  (:action dry
    :parameters (?x - cup)
    :precondition (clean ?x)
    :effect (not (wet ?x))))

(define (problem one-cup)
  (:domain wash)
  (:objects mug - cup)
  (:init (dirty mug))
  (:goal (clean mug)))
