(define (domain kitchen)
  (:requirements :action-costs)
  (:predicates (done))
  (:functions (total-cost) - number)
  (:action cook
    :parameters ()
    :effect (and (done) (increase (total-cost)
      (* (* 1000000 1000000 1000000) (* 1000000 1000000))))))

(define (problem lunch)
  (:domain kitchen)
  (:init)
  (:goal (done))
  (:metric minimize (total-cost)))
