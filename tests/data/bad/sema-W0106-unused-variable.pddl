(define (domain kitchen)
  (:requirements :adl :multi-agent)
  (:types cook item)
  (:predicates (clean ?i - item))
  (:action wash
    :agent ?c - cook
    :parameters (?i ?j ?_spare - item)
    :effect (forall (?k - item) (clean ?i))))
