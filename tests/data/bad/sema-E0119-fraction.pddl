(define (domain kitchen)
  (:requirements :delayed-effects :bounded-numbers :text)
  (:predicates (done))
  (:functions (heat) - (int 0 9) (time :text "{(time)} to go") - number)
  (:action cook
    :parameters ()
    :precondition (> (heat) 1.5)
    :effect (and (increase (heat) 0.5) (after (time) (done)))))

(define (problem lunch)
  (:domain kitchen)
  (:init (= (heat) 2.5) (= (time) 1.5))
  (:goal (done)))
