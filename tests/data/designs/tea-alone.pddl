; One cook.
(define (problem tea-alone)
  (:domain drinks)
  (:objects ann - cook tea coffee - drink mint beans - leaf)
  (:init (made-of tea mint) (made-of coffee beans) (knows-recipes ann))
  (:goal (poured tea) :text "Serve tea."))
