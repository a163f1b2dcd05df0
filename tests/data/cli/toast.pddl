; Bread that is toasted twice burns, and is not to be served.
(define (domain toast)
  (:requirements :strips :typing :negative-preconditions :conditional-effects :multi-agent :horizon
                 :text)
  (:types cook)
  (:predicates (brown) (burnt) (served))
  (:action toast
    :agent ?c - cook
    :effect (and (brown) (when (brown) (burnt)))
    :label "toast()")
  (:action serve
    :agent ?c - cook
    :precondition (brown)
    :effect (served)
    :label "serve()")
  (:fail (burnt)))
