; Supper is ready with a soup or a salad, and neither can be made: nobody brings water, or lettuce.
(define (domain supper)
  (:requirements :adl)
  (:predicates (water) (lettuce) (soup) (salad) (ready))
  (:action boil :precondition (water) :effect (soup))
  (:action toss :precondition (lettuce) :effect (salad))
  (:action lay-table :precondition (or (soup) (salad)) :effect (ready)))

(define (problem hungry)
  (:domain supper)
  (:init)
  (:goal (ready)))
