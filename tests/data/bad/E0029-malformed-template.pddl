(define (domain kitchen)
  (:requirements :text)
  (:predicates (clean ?x))
  (:action wash
    :parameters (?x)
    :effect (and (log "{?x") (log "?x}") (log "{}") (log "{?x ?x}") (log "{(f ?x}") (log "\q"))
    :text "{\"a\"}"))
