(define (domain kitchen)
  (:requirements :text)
  (:predicates (clean ?x))
  (:action wash
    :parameters (?x)
    :effect (clean ?x)
    :text "wash {?x})
  (:action dry
    :parameters (?x)
    :text "dry {?x}\"))
