(define (domain kitchen)
  (:predicates clean (wet ?x) - item (dry ?x))
  (:functions - number (heat ?x) -))
