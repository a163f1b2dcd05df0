; Both doors are open.
(define (problem both-open)
  (:domain collab-capture)
  (:init (= (at alice) room1) (= (at bob) room6) (= (at thief) room2) (open door1) (open door3))
  (:goal (caught) :text "Catch the thief.")
  (:horizon 30))
