(define (domain steps)
  (:requirements :adl :multi-agent :object-fluents :options :sequential-effects :text)
  (:semantics clean upstream)
  (:types cook item - object)
  (:predicates (clean ?i - item))
  (:functions (holds ?c - cook) - item)
  (:action put :primitive
    :agent ?c - cook
    :precondition (and ("{?c} holds nothing" (not (= (holds ?c) undefined))) (semantic clean))
    :effect (assign (holds ?c) undefined))
  (:option tidy
    :agent ?c - cook
    :precondition (not (= (holds ?c) undefined))
    ((?i (holds ?c)))
    :policy (((clean ?i) (do (put ?c)))
             (else ((put ?c))))
    :until (= (holds ?c) undefined)
    :label none)
  (:option drop
    :agent ?c - cook
    :policy (((?i (holds ?c))) (case ((clean ?i) (do (put ?c))) (esle (do (put ?c)))))
    :until (= (holds ?c) undefined)
    none)
  (:option lay
    :agent ?c - cook
    :precondition (not (= (holds ?c) undefined))
    (do (put ?c))
    :until (= (holds ?c) undefined))
  (:option wipe
    :agent ?c - cook
    :policy (do (put ?c))
    (= (holds ?c) undefined)))
