; The same kitchen, and another drink.
(define (problem coffee)
  (:domain drinks)
  (:objects ann bob - cook tea coffee - drink mint beans - leaf)
  (:init (made-of tea mint) (made-of coffee beans) (knows-recipes ann))
  (:goal (poured coffee) :text "Serve coffee."))
