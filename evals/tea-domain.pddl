; Two cooks and a stove: a kitchen so small that all of it fits a short prompt.
(define (domain tea)
  (:requirements :typing :multi-agent :delayed-effects :negative-preconditions :text)
  (:turns simultaneous)
  (:types cook)
  (:predicates
    (lit :text "the stove is lit")
    (hot :text "the water is hot")
    (poured :text "the tea is poured"))

  (:action light
    :agent ?c - cook
    :precondition (else "the stove is lit already" (not (lit)))
    :effect (and (lit) (after 2 (hot)))
    :label "light()"
    :text "light the stove")

  (:action pour
    :agent ?c - cook
    :precondition (else "the water is cold" (hot))
    :effect (poured)
    :label "pour()"
    :text "pour the tea"))
