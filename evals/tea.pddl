(define (problem tea)
  (:domain tea)
  (:objects ann bob - cook)
  (:goal (poured) :text "Pour the tea"))
