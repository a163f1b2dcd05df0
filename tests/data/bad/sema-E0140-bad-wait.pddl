(define (domain kitchen)
  (:requirements :multi-agent)
  (:semantics clean upstream)
  (:wait :most 0)
  (:wait :most 5 :semantics upsteam))

(define (problem lunch)
  (:domain kitchen)
  (:goal (and)))
