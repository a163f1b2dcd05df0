(define (domain kitchen)
  (:turns sequential)
  (:predicates (clean ?x) (log ?x))
  (:functions (heat) - (int 0 9))
  (:transient (ready))
  (:event spoil :effect (not (clean fridge)))
  (:fail (clean fridge))
  (:action wash
    :agent ?a
    :parameters (?x)
    :precondition (= 3 (count (?y) (clean ?y)))
    :effect (and (after 3 (clean ?x)) (on-nth 3 (clean ?x)) (seq (clean ?x)) (log ?x)
      (case ((clean ?x) (clean ?x))))
    :text "wash"))
