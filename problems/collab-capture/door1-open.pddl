; Door3 is closed: so the published greedy players start.
(define (problem door1-open)
  (:domain collab-capture)
  (:init (= (at alice) room1) (= (at bob) room6) (= (at thief) room2) (open door1))
  (:goal (caught) :text "Catch the thief.")
  (:horizon 30))
