; brigade: allow-file W0205 "there may be more types later"
(define (domain wash)
  (:requirements :typing)
  (:types cup)
  (:predicates
    ; brigade: allow W0201 "other domains share the list"
    (clean ?x - cup)
    ; brigade: allow W0201 "other domains share the list"
    (chipped ?x - cup)
    (broken ?x - cup)) ; brigade: allow W0201 "other domains share the list"
  (:action wash
    ; brigade: allow W0106 "which hand is of no account yet"
    :parameters (?x ?hand - cup)
    :effect (clean ?x)))
