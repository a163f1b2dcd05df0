; Collab Capture of LLM-Coordination (Agashe et al., 2023): two players catch a thief in nine rooms.
;
; In every turn both players choose at the same time: each goes to a room next to its own, presses the
; button in its room, or waits. Then the thief runs, knowing where both have gone. Buttons work at the
; end of the turn: a door that closes in it has let everybody through.
;
; The thief does not choose. It runs to the next room whose number is farthest from that of the nearer
; player's room, and stays only where all ways are barred.
;
;           1 --door1-- 2 --------- 3
;           |                       |
;           |                     door3
;           |                       |
;     9 --- 6 --------- 5 --------- 4        the button of door1 is in room 9,
;                       |                    that of door3 in room 8
;                       7 --- 8
;
; docs/reference/systems/collab-capture.md is the guide.

(define (domain collab-capture)
  (:requirements :adl :multi-agent :object-fluents :numeric-fluents :bounded-numbers :aggregates
                 :sequential-effects :events :derived-predicates :horizon :text)

  (:types
    player - walker
    walker room door)

  (:constants
    alice bob - player
    thief - walker
    room1 room2 room3 room4 room5 room6 room7 room8 room9 - room
    door1 door3 - door)

  (:predicates
    (next ?a ?b - room)
    (open ?d - door :text "{?d} is open")
    (caught)
    (begun)  ; the first turn is over
    ; what is derived
    (closed ?d - door :text "{?d} is closed")
    (leads ?a ?b - room :text "{?a} leads to {?b}"))

  (:functions
    (at ?w - walker :text "{?w} is in {(at ?w)}") - room
    (door ?a ?b - room :text "{(door ?a ?b)} is on the way from {?a} to {?b}") - door
    (button ?r - room :text "a button in {?r} opens and closes {(button ?r)}") - door
    (number ?r - room) - number
    (shuns ?a ?b - room) - number)  ; of rooms equally far, the thief takes the one that it shuns least

  (:transient
    (left ?w - walker) - room  ; where it was before this turn, if it moved
    (presses ?d - door) - (int 0 2))

  (:derived (closed ?d - door) (not (open ?d)))
  (:derived (leads ?a ?b - room)
    (and (next ?a ?b) (or (= (door ?a ?b) undefined) (open (door ?a ?b)))))

  (:turns simultaneous)

  ; ---- What players do ----

  (:action move
    :agent ?p - player
    :parameters (?to - room)
    :precondition (and (else "{?to} is not next to the room of {?p}" (next (at ?p) ?to))
                       (else "the door to {?to} is closed" (leads (at ?p) ?to)))
    :effect (and (assign (left ?p) (at ?p)) (assign (at ?p) ?to))
    :label "move({?to})"
    :text "move to {?to}")

  (:action press
    :agent ?p - player
    :parameters (?d - door)
    :precondition (else "the button of {?d} is in another room" (= (button (at ?p)) ?d))
    :effect (increase (presses ?d) 1)
    :label "press({?d})"
    :text "press the button of {?d}")

  ; ---- What happens then ----

  (:event flee
    :effect (let ((?to (argmax (?r - room)
                         (leads (at thief) ?r)
                         (min (abs (- (number ?r) (number (at alice))))
                              (abs (- (number ?r) (number (at bob)))))
                         :ties (shuns (at thief) ?r))))
              (and (assign (left thief) (at thief)) (assign (at thief) ?to))))

  ; In one room, or on the way if they change rooms; that is not seen in the first turn.
  (:event catch
    :parameters (?p - player)
    :precondition (or (= (at ?p) (at thief))
                      (and (begun) (= (at ?p) (left thief)) (= (left ?p) (at thief))))
    :effect (caught))

  (:event begin
    :effect (begun))

  (:event work  ; pressed twice, it stays as it is
    :parameters (?d - door)
    :precondition (= (presses ?d) 1)
    :effect (case ((open ?d) (not (open ?d))) (else (open ?d))))

  (:facts
    (next room1 room2) (next room1 room6)
    (next room2 room1) (next room2 room3)
    (next room3 room2) (next room3 room4)
    (next room4 room3) (next room4 room5)
    (next room5 room4) (next room5 room6) (next room5 room7)
    (next room6 room5) (next room6 room9) (next room6 room1)
    (next room7 room5) (next room7 room8)
    (next room8 room7)
    (next room9 room6)
    (= (shuns room6 room1) 1)
    (= (door room1 room2) door1) (= (door room2 room1) door1) (= (button room9) door1)
    (= (door room3 room4) door3) (= (door room4 room3) door3) (= (button room8) door3)
    (= (number room1) 1) (= (number room2) 2) (= (number room3) 3)
    (= (number room4) 4) (= (number room5) 5) (= (number room6) 6)
    (= (number room7) 7) (= (number room8) 8) (= (number room9) 9))

  (:layout
    (rows "     -"
          "  |   |"
          "  |"
          "  |   |"
          " - - -"
          "    |"
          "     -")
    (cell room1 2 0) (cell door1 3 0) (cell room2 4 0) (cell room3 6 0)
    (cell door3 6 2)
    (cell room9 0 4) (cell room6 2 4) (cell room5 4 4) (cell room4 6 4)
    (cell room7 4 6) (cell room8 6 6)
    (draw (?w - walker) ?w (at ?w))
    (draw (?d - door) "open" ?d :when (open ?d))
    (draw (?r - room) "{(button ?r)}" ?r)))  ; where the button of a door is
