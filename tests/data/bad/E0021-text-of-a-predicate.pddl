(define (domain kitchen)
  (:requirements :typing :text)
  (:types item)
  (:predicates
    (wet ?i - item :text ?i)
    (cold ?i - item :text)
    (dry ?i - item :text i "{?i} is dry")
    (hot ?i - item :text "{?i} is hot" :texts "very")))
