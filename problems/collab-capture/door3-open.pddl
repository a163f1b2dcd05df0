; The start of the published games: door1 is closed.
(define (problem door3-open)
  (:domain collab-capture)
  (:init (= (at alice) room1) (= (at bob) room6) (= (at thief) room2) (open door3))
  (:goal (caught) :text "Catch the thief.")
  (:horizon 30))
