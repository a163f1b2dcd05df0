(domain kitchen
  (:predicates (clean ?x)))
