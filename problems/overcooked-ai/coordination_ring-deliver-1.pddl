; XXXPX
; X 1 P
; D2X X
; O   X
; XOSXX

(define (problem coordination_ring-deliver-1)
  (:domain overcooked-ai)
  (:objects
    player1 player2 - player
    floor-1-1 floor-2-1 floor-3-1 floor-1-2 floor-3-2 floor-1-3 floor-2-3 floor-3-3 - floor
    counter-1-0 counter-2-0 counter-0-1 counter-2-2 counter-4-2 counter-4-3 counter-3-4 - counter
    dishes-0-2 onions-0-3 onions-1-4 - dispenser
    pot-3-0 pot-4-1 - pot
    window-2-4 - window)
  (:init
    (= (ahead floor-1-1 north) counter-1-0)
    (= (next floor-1-1 south) floor-1-2)
    (= (next floor-1-1 east) floor-2-1)
    (= (ahead floor-1-1 west) counter-0-1)
    (= (ahead floor-2-1 north) counter-2-0)
    (= (ahead floor-2-1 south) counter-2-2)
    (= (next floor-2-1 east) floor-3-1)
    (= (next floor-2-1 west) floor-1-1)
    (= (ahead floor-3-1 north) pot-3-0)
    (= (next floor-3-1 south) floor-3-2)
    (= (ahead floor-3-1 east) pot-4-1)
    (= (next floor-3-1 west) floor-2-1)
    (= (next floor-1-2 north) floor-1-1)
    (= (next floor-1-2 south) floor-1-3)
    (= (ahead floor-1-2 east) counter-2-2)
    (= (ahead floor-1-2 west) dishes-0-2)
    (= (next floor-3-2 north) floor-3-1)
    (= (next floor-3-2 south) floor-3-3)
    (= (ahead floor-3-2 east) counter-4-2)
    (= (ahead floor-3-2 west) counter-2-2)
    (= (next floor-1-3 north) floor-1-2)
    (= (ahead floor-1-3 south) onions-1-4)
    (= (next floor-1-3 east) floor-2-3)
    (= (ahead floor-1-3 west) onions-0-3)
    (= (ahead floor-2-3 north) counter-2-2)
    (= (ahead floor-2-3 south) window-2-4)
    (= (next floor-2-3 east) floor-3-3)
    (= (next floor-2-3 west) floor-1-3)
    (= (next floor-3-3 north) floor-3-2)
    (= (ahead floor-3-3 south) counter-3-4)
    (= (ahead floor-3-3 east) counter-4-3)
    (= (next floor-3-3 west) floor-2-3)
    (= (in pot-3-0) nothing)
    (= (in pot-4-1) nothing)
    (= (gives dishes-0-2) dish)
    (= (gives onions-0-3) onion)
    (= (gives onions-1-4) onion)
    (= (cook-time soup-o) 20)
    (= (cook-time soup-oo) 20)
    (= (cook-time soup-ooo) 20)
    (= (worth soup-ooo) 20)
    (= (at player1) floor-2-1)
    (= (facing player1) north)
    (= (at player2) floor-1-2)
    (= (facing player2) north))
  (:goal (>= (delivered) 1) :text "Deliver a soup that is ordered")
  (:layout
    (rows "XXXPX"
          "X...P"
          "D.X.X"
          "O...X"
          "XOSXX")
    (cell counter-1-0 1 0) (cell counter-2-0 2 0) (cell pot-3-0 3 0)
    (cell counter-0-1 0 1) (cell floor-1-1 1 1) (cell floor-2-1 2 1) (cell floor-3-1 3 1)
    (cell pot-4-1 4 1)
    (cell dishes-0-2 0 2) (cell floor-1-2 1 2) (cell counter-2-2 2 2) (cell floor-3-2 3 2)
    (cell counter-4-2 4 2)
    (cell onions-0-3 0 3) (cell floor-1-3 1 3) (cell floor-2-3 2 3) (cell floor-3-3 3 3)
    (cell counter-4-3 4 3)
    (cell onions-1-4 1 4) (cell window-2-4 2 4) (cell counter-3-4 3 4)))
