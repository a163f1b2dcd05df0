; WWOXDWW
; D 1W2 W
; P  W  P
; W  G  W
; WWSWOWW

(define (problem soup_passing_door)
  (:domain overcooked-ai)
  (:objects
    player1 player2 - player
    floor-1-1 floor-2-1 floor-4-1 floor-5-1 floor-1-2 floor-2-2 floor-4-2 floor-5-2 floor-1-3
    floor-2-3 door-3-3 floor-4-3 floor-5-3 - floor
    onions-2-0 dishes-4-0 dishes-0-1 onions-4-4 - dispenser
    pot-0-2 pot-6-2 - pot
    window-2-4 - window
    gate-3-3 - gate)
  (:init
    (= (next floor-1-1 south) floor-1-2)
    (= (next floor-1-1 east) floor-2-1)
    (= (ahead floor-1-1 west) dishes-0-1)
    (= (ahead floor-2-1 north) onions-2-0)
    (= (next floor-2-1 south) floor-2-2)
    (= (next floor-2-1 west) floor-1-1)
    (= (ahead floor-4-1 north) dishes-4-0)
    (= (next floor-4-1 south) floor-4-2)
    (= (next floor-4-1 east) floor-5-1)
    (= (next floor-5-1 south) floor-5-2)
    (= (next floor-5-1 west) floor-4-1)
    (= (next floor-1-2 north) floor-1-1)
    (= (next floor-1-2 south) floor-1-3)
    (= (next floor-1-2 east) floor-2-2)
    (= (ahead floor-1-2 west) pot-0-2)
    (= (next floor-2-2 north) floor-2-1)
    (= (next floor-2-2 south) floor-2-3)
    (= (next floor-2-2 west) floor-1-2)
    (= (next floor-4-2 north) floor-4-1)
    (= (next floor-4-2 south) floor-4-3)
    (= (next floor-4-2 east) floor-5-2)
    (= (next floor-5-2 north) floor-5-1)
    (= (next floor-5-2 south) floor-5-3)
    (= (ahead floor-5-2 east) pot-6-2)
    (= (next floor-5-2 west) floor-4-2)
    (= (next floor-1-3 north) floor-1-2)
    (= (next floor-1-3 east) floor-2-3)
    (= (next floor-2-3 north) floor-2-2)
    (= (ahead floor-2-3 south) window-2-4)
    (= (next floor-2-3 east) door-3-3)
    (= (ahead floor-2-3 east) gate-3-3)
    (= (next floor-2-3 west) floor-1-3)
    (= (next door-3-3 east) floor-4-3)
    (= (next door-3-3 west) floor-2-3)
    (= (next floor-4-3 north) floor-4-2)
    (= (ahead floor-4-3 south) onions-4-4)
    (= (next floor-4-3 east) floor-5-3)
    (= (next floor-4-3 west) door-3-3)
    (= (ahead floor-4-3 west) gate-3-3)
    (= (next floor-5-3 north) floor-5-2)
    (= (next floor-5-3 west) floor-4-3)
    (= (gives onions-2-0) onion)
    (= (gives dishes-4-0) dish)
    (= (gives dishes-0-1) dish)
    (= (in pot-0-2) nothing)
    (= (in pot-6-2) nothing)
    (= (doorway gate-3-3) door-3-3)
    (= (gives onions-4-4) onion)
    (= (cook-time soup-o) 20)
    (= (worth soup-o) 20)
    (= (cook-time soup-oo) 20)
    (= (worth soup-oo) 20)
    (= (cook-time soup-ooo) 20)
    (= (worth soup-ooo) 20)
    (= (at player1) floor-2-1)
    (= (facing player1) north)
    (= (at player2) floor-4-1)
    (= (facing player2) north))
  (:metric maximize (reward))
  (:horizon 400)
  (:layout
    (rows "##OXD##"
          "D..#..#"
          "P..#..P"
          "#..G..#"
          "##S#O##")
    (cell onions-2-0 2 0) (cell dishes-4-0 4 0)
    (cell dishes-0-1 0 1) (cell floor-1-1 1 1) (cell floor-2-1 2 1) (cell floor-4-1 4 1)
    (cell floor-5-1 5 1)
    (cell pot-0-2 0 2) (cell floor-1-2 1 2) (cell floor-2-2 2 2) (cell floor-4-2 4 2)
    (cell floor-5-2 5 2) (cell pot-6-2 6 2)
    (cell floor-1-3 1 3) (cell floor-2-3 2 3) (cell door-3-3 3 3) (cell floor-4-3 4 3)
    (cell floor-5-3 5 3)
    (cell window-2-4 2 4) (cell onions-4-4 4 4)))
