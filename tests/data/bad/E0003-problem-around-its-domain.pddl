(define (problem loaf
  (:domain bakery)
  (:objects ann bob - cook)
  (:init (stocked flour))
  (:goal (served bread)))
