(define (problem one-toast)
  (:domain toast)
  (:objects ann - cook)
  (:goal (served)))
