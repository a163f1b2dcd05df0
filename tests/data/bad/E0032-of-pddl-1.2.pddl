(define (domain blocks)
  (:extends things)
  (:requirements :strips :domain-axioms)
  (:predicates (on ?x ?y) (clear ?x) (above ?x ?y))
  (:timeless (clear table))
  (:axiom
    :vars (?x ?y)
    :context (on ?x ?y)
    :implies (above ?x ?y))
  (:axiom
    :vars (?x ?y)
    :context (exists (?z) (and (on ?x ?z) (above ?z ?y)))
    :implies (above ?x ?y))
  (:action move
    :parameters (?x ?y)
    :vars (?z)
    :precondition (and (clear ?x) (clear ?y) (on ?x ?z))
    :effect (and (on ?x ?y) (not (on ?x ?z)) (clear ?z) (not (clear ?y)))))
