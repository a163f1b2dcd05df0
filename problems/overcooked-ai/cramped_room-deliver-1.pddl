; XXPXX
; O  2O
; X1  X
; XDXSX

(define (problem cramped_room-deliver-1)
  (:domain overcooked-ai)
  (:objects
    player1 player2 - player
    floor-1-1 floor-2-1 floor-3-1 floor-1-2 floor-2-2 floor-3-2 - floor
    counter-1-0 counter-3-0 counter-0-2 counter-4-2 counter-2-3 - counter
    onions-0-1 onions-4-1 dishes-1-3 - dispenser
    pot-2-0 - pot
    window-3-3 - window)
  (:init
    (= (ahead floor-1-1 north) counter-1-0)
    (= (next floor-1-1 south) floor-1-2)
    (= (next floor-1-1 east) floor-2-1)
    (= (ahead floor-1-1 west) onions-0-1)
    (= (ahead floor-2-1 north) pot-2-0)
    (= (next floor-2-1 south) floor-2-2)
    (= (next floor-2-1 east) floor-3-1)
    (= (next floor-2-1 west) floor-1-1)
    (= (ahead floor-3-1 north) counter-3-0)
    (= (next floor-3-1 south) floor-3-2)
    (= (ahead floor-3-1 east) onions-4-1)
    (= (next floor-3-1 west) floor-2-1)
    (= (next floor-1-2 north) floor-1-1)
    (= (ahead floor-1-2 south) dishes-1-3)
    (= (next floor-1-2 east) floor-2-2)
    (= (ahead floor-1-2 west) counter-0-2)
    (= (next floor-2-2 north) floor-2-1)
    (= (ahead floor-2-2 south) counter-2-3)
    (= (next floor-2-2 east) floor-3-2)
    (= (next floor-2-2 west) floor-1-2)
    (= (next floor-3-2 north) floor-3-1)
    (= (ahead floor-3-2 south) window-3-3)
    (= (ahead floor-3-2 east) counter-4-2)
    (= (next floor-3-2 west) floor-2-2)
    (= (in pot-2-0) nothing)
    (= (gives onions-0-1) onion)
    (= (gives onions-4-1) onion)
    (= (gives dishes-1-3) dish)
    (= (cook-time soup-o) 20)
    (= (cook-time soup-oo) 20)
    (= (cook-time soup-ooo) 20)
    (= (worth soup-ooo) 20)
    (= (at player1) floor-1-2)
    (= (facing player1) north)
    (= (at player2) floor-3-1)
    (= (facing player2) north))
  (:goal (>= (delivered) 1) :text "Deliver a soup that is ordered")
  (:layout
    (rows "XXPXX"
          "O...O"
          "X...X"
          "XDXSX")
    (cell counter-1-0 1 0) (cell pot-2-0 2 0) (cell counter-3-0 3 0)
    (cell onions-0-1 0 1) (cell floor-1-1 1 1) (cell floor-2-1 2 1) (cell floor-3-1 3 1)
    (cell onions-4-1 4 1)
    (cell counter-0-2 0 2) (cell floor-1-2 1 2) (cell floor-2-2 2 2) (cell floor-3-2 3 2)
    (cell counter-4-2 4 2)
    (cell dishes-1-3 1 3) (cell counter-2-3 2 3) (cell window-3-3 3 3)))
