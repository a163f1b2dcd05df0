(define (domain 3)
  (:requirements typing)
  (:constants ?cup "plate")
  (:predicates (?clean ?x)))
