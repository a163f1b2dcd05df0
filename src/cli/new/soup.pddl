; What is there at the start, and what is wanted. Give a second dish to cook, or let the chef have the
; carrot at once, and see with `brigade snapshot .` what that changes.
(define (problem soup)
  (:domain kitchen)
  (:init (in-pantry carrot))
  (:goal (served carrot-soup) :text "Serve a carrot soup."))
