(define (domain kitchen)
  (:requirements :text)
  (:predicates (clean ?crème) (w,et ?x) (dry ?))
  (:action wash
    :parameters (?x)
    :effect (clean ?x)
    :text “wash”))
