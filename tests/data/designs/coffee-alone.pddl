; One cook, and another drink.
(define (problem coffee-alone)
  (:domain drinks)
  (:objects ann - cook tea coffee - drink mint beans - leaf)
  (:init (made-of tea mint) (made-of coffee beans) (knows-recipes ann))
  (:goal (poured coffee) :text "Serve coffee."))
