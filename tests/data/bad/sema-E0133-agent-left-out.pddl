; Of two actions one lost its agent, and one names it without its mark: what they say of ?c is no more news.
(define (domain kitchen)
  (:requirements :typing :multi-agent)
  (:types cook)
  (:predicates (idle ?c - cook) (tired ?c - cook))
  (:action rest :agent ?c - cook :precondition (tired ?c) :effect (idle ?c))
  (:action work :precondition (idle ?c) :effect (and (tired ?c) (not (idle ?c))))
  (:action walk :agent alma :precondition (idle ?c) :effect (tired ?c)))
