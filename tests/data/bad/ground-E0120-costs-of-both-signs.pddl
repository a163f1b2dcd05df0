; A thousand steps may win and lose more than can be summed.
(define (domain casino)
  (:requirements :numeric-fluents :horizon)
  (:predicates (rich) (game ?x))
  (:functions (gain ?x) (profit))
  (:action play
    :parameters (?x)
    :precondition (game ?x)
    :effect (and (rich) (increase (profit) (gain ?x)))))

(define (problem casino-1)
  (:domain casino)
  (:objects dice cards)
  (:init (= (profit) 0) (game dice) (game cards)
         (= (gain dice) 900000000000000) (= (gain cards) -900000000000000.001))
  (:goal (rich))
  (:horizon 1000)
  (:metric maximize (profit)))
