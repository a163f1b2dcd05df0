; The house as players are told of it in the published game: every way leads back.
(define (problem prompt-map)
  (:domain collab-escape)
  (:objects
    room1 room2 room3 room4 room5 room6 room7 room8 room9 room10 - room
    generator1 generator6 - generator)
  (:init
    (= (at alice) room1) (= (at bob) room2) (= (at killer) room6)
    (= (place generator1) room1) (= (place generator6) room6) (gate room7)
    (leads room1 room2) (leads room1 room10)
    (leads room2 room1) (leads room2 room3)
    (leads room3 room2) (leads room3 room4) (leads room3 room8)
    (leads room4 room3) (leads room4 room5)
    (leads room5 room4) (leads room5 room6)
    (leads room6 room5) (leads room6 room7)
    (leads room7 room6) (leads room7 room8)
    (leads room8 room3) (leads room8 room7) (leads room8 room9)
    (leads room9 room8) (leads room9 room10)
    (leads room10 room1) (leads room10 room9))
  (:goal
    (and (open-gate) (exists (?p - player) (gate (at ?p))))
    :text "Repair both generators, and reach the open gate.")
  (:horizon 50)
  (:layout
    (rows " - - -"
          "| |   |"
          "   - -"
          "| |"
          " -")
    (cell room2 0 0) (cell room3 2 0) (cell room4 4 0) (cell room5 6 0)
    (cell room1 0 2) (cell room8 2 2) (cell room7 4 2) (cell room6 6 2)
    (cell room10 0 4) (cell room9 2 4)))
