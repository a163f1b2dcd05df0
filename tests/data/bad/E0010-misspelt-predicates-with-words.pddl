; As many lists are closed as are opened, so none was left open before `:text`.
(define (domain bakery)
  (:requirements :typing :text)
  (:types dough)
  (:predicats (baked ?d - dough :text "{?d} is baked"))
  (:action bake
    :parameters (?d - dough)
    :effect (baked ?d)))
