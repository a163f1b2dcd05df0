(define (domain kitchen)
  (:requirements :action-costs :text)
  (:predicates (done))
  (:functions (total-cost :text "{(total-cost)} has been spent") - number)
  (:action cook
    :parameters ()
    :effect (and (done) (increase (total-cost) 2))))

(define (problem lunch)
  (:domain kitchen)
  (:init (= (total-cost) 0))
  (:goal (done))
  (:metric minimize (total-cost)))
