; Both doors are closed.
(define (problem both-closed)
  (:domain collab-capture)
  (:init (= (at alice) room1) (= (at bob) room6) (= (at thief) room2))
  (:goal (caught) :text "Catch the thief.")
  (:horizon 30))
