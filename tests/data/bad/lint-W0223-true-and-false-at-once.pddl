(define (domain tea)
  (:requirements :strips :conditional-effects :multi-agent :sequential-effects)
  (:predicates (clean ?c) (wet ?c) (here))
  (:action wash
    :parameters (?c)
    :effect (and (clean ?c) (when (here) (and (wet ?c) (and (not (wet ?c))))) (not (CLEAN ?c))))
  (:action dry
    :parameters (?c)
    :precondition (and (wet ?c) (clean ?c))
    :effect (seq (here) (not (here)))))
