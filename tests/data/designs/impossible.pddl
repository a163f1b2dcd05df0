; There is no recipe.
(define (problem impossible)
  (:domain drinks)
  (:objects ann bob - cook tea coffee - drink mint beans - leaf)
  (:init (knows-recipes ann))
  (:goal (poured tea) :text "Serve tea."))
