(define (domain kitchen)
  (:requirements :durative-actions :probabilistic-effects)
  (:predicates (clean ?x))
  (:functions (heat))
  (:process warm)
  (:action wash
    :parameters (?x)
    :precondition (preference p1 (clean ?x))
    :effect (and (probabilistic 0.5 (clean ?x)) (oneof (clean ?x) (and)) (create ?y - cup)
      (destroy ?x) (uniform (?y) (clean ?y) (clean ?y))))
  (:durative-action dry
    :duration (and (>= ?duration 3) (<= ?duration 5))
    :effect (at end (increase (heat) (* #t 2)))))
