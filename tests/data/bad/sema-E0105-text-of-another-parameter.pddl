(define (domain kitchen)
  (:requirements :typing :text)
  (:types item place)
  (:predicates
    (on ?i - item ?p - place
      :text ?item "{?i} is on {?p}"
      :text ?p "{?q} is on {?p}")))
