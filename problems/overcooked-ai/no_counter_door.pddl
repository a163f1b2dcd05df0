; XWPWX
; O  2O
; D1  W
; WGWGW
; W   W
; XWWSX

(define (problem no_counter_door)
  (:domain overcooked-ai)
  (:objects
    player1 player2 - player
    floor-1-1 floor-2-1 floor-3-1 floor-1-2 floor-2-2 floor-3-2 door-1-3 door-3-3 floor-1-4
    floor-2-4 floor-3-4 - floor
    onions-0-1 onions-4-1 dishes-0-2 - dispenser
    pot-2-0 - pot
    window-3-5 - window
    gate-1-3 gate-3-3 - gate)
  (:init
    (= (next floor-1-1 south) floor-1-2)
    (= (next floor-1-1 east) floor-2-1)
    (= (ahead floor-1-1 west) onions-0-1)
    (= (ahead floor-2-1 north) pot-2-0)
    (= (next floor-2-1 south) floor-2-2)
    (= (next floor-2-1 east) floor-3-1)
    (= (next floor-2-1 west) floor-1-1)
    (= (next floor-3-1 south) floor-3-2)
    (= (ahead floor-3-1 east) onions-4-1)
    (= (next floor-3-1 west) floor-2-1)
    (= (next floor-1-2 north) floor-1-1)
    (= (next floor-1-2 south) door-1-3)
    (= (ahead floor-1-2 south) gate-1-3)
    (= (next floor-1-2 east) floor-2-2)
    (= (ahead floor-1-2 west) dishes-0-2)
    (= (next floor-2-2 north) floor-2-1)
    (= (next floor-2-2 east) floor-3-2)
    (= (next floor-2-2 west) floor-1-2)
    (= (next floor-3-2 north) floor-3-1)
    (= (next floor-3-2 south) door-3-3)
    (= (ahead floor-3-2 south) gate-3-3)
    (= (next floor-3-2 west) floor-2-2)
    (= (next door-1-3 north) floor-1-2)
    (= (next door-1-3 south) floor-1-4)
    (= (next door-3-3 north) floor-3-2)
    (= (next door-3-3 south) floor-3-4)
    (= (next floor-1-4 north) door-1-3)
    (= (ahead floor-1-4 north) gate-1-3)
    (= (next floor-1-4 east) floor-2-4)
    (= (next floor-2-4 east) floor-3-4)
    (= (next floor-2-4 west) floor-1-4)
    (= (next floor-3-4 north) door-3-3)
    (= (ahead floor-3-4 north) gate-3-3)
    (= (ahead floor-3-4 south) window-3-5)
    (= (next floor-3-4 west) floor-2-4)
    (= (in pot-2-0) nothing)
    (= (gives onions-0-1) onion)
    (= (gives onions-4-1) onion)
    (= (gives dishes-0-2) dish)
    (= (doorway gate-1-3) door-1-3)
    (= (doorway gate-3-3) door-3-3)
    (= (cook-time soup-o) 20)
    (= (worth soup-o) 20)
    (= (cook-time soup-oo) 20)
    (= (worth soup-oo) 20)
    (= (cook-time soup-ooo) 20)
    (= (worth soup-ooo) 20)
    (= (at player1) floor-1-2)
    (= (facing player1) north)
    (= (at player2) floor-3-1)
    (= (facing player2) north))
  (:metric maximize (reward))
  (:horizon 400)
  (:layout
    (rows "X#P#X"
          "O...O"
          "D...#"
          "#G#G#"
          "#...#"
          "X##SX")
    (cell pot-2-0 2 0)
    (cell onions-0-1 0 1) (cell floor-1-1 1 1) (cell floor-2-1 2 1) (cell floor-3-1 3 1)
    (cell onions-4-1 4 1)
    (cell dishes-0-2 0 2) (cell floor-1-2 1 2) (cell floor-2-2 2 2) (cell floor-3-2 3 2)
    (cell door-1-3 1 3) (cell door-3-3 3 3)
    (cell floor-1-4 1 4) (cell floor-2-4 2 4) (cell floor-3-4 3 4)
    (cell window-3-5 3 5)))
