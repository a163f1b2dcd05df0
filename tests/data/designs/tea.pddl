; Two cooks, of whom one knows recipes.
(define (problem tea)
  (:domain drinks)
  (:objects ann bob - cook tea coffee - drink mint beans - leaf)
  (:init (made-of tea mint) (made-of coffee beans) (knows-recipes ann))
  (:goal (poured tea) :text "Serve tea."))
