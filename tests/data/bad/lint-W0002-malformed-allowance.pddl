(define (domain wash)
  (:requirements :typing)
  (:types cup)
  (:predicates
    (clean ?x - cup)
    ; brigade: allow W0201
    (chipped ?x - cup)
    ; brigade: allow W0299 "no such warning"
    (broken ?x - cup)
    (glued ?x - cup)  ; brigade: alow W0201 "a typing mistake"
    ; brigade: allow E0102 "errors stay"
    (old ?x - cup)
    ; brigade: allow "no code"
    (blue ?x - cup))
  (:action wash
    :parameters (?x - cup)
    :effect (clean ?x)))
