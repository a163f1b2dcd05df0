; XXXPPXXX
; X  2   X
; D XXXX S
; X  1   X
; XXXOOXXX

(define (problem counter_circuit_o_1order)
  (:domain overcooked-ai)
  (:objects
    player1 player2 - player
    floor-1-1 floor-2-1 floor-3-1 floor-4-1 floor-5-1 floor-6-1 floor-1-2 floor-6-2 floor-1-3
    floor-2-3 floor-3-3 floor-4-3 floor-5-3 floor-6-3 - floor
    counter-1-0 counter-2-0 counter-5-0 counter-6-0 counter-0-1 counter-7-1 counter-2-2 counter-3-2
    counter-4-2 counter-5-2 counter-0-3 counter-7-3 counter-1-4 counter-2-4 counter-5-4 counter-6-4
    - counter
    dishes-0-2 onions-3-4 onions-4-4 - dispenser
    pot-3-0 pot-4-0 - pot
    window-7-2 - window)
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
    (= (ahead floor-3-1 south) counter-3-2)
    (= (next floor-3-1 east) floor-4-1)
    (= (next floor-3-1 west) floor-2-1)
    (= (ahead floor-4-1 north) pot-4-0)
    (= (ahead floor-4-1 south) counter-4-2)
    (= (next floor-4-1 east) floor-5-1)
    (= (next floor-4-1 west) floor-3-1)
    (= (ahead floor-5-1 north) counter-5-0)
    (= (ahead floor-5-1 south) counter-5-2)
    (= (next floor-5-1 east) floor-6-1)
    (= (next floor-5-1 west) floor-4-1)
    (= (ahead floor-6-1 north) counter-6-0)
    (= (next floor-6-1 south) floor-6-2)
    (= (ahead floor-6-1 east) counter-7-1)
    (= (next floor-6-1 west) floor-5-1)
    (= (next floor-1-2 north) floor-1-1)
    (= (next floor-1-2 south) floor-1-3)
    (= (ahead floor-1-2 east) counter-2-2)
    (= (ahead floor-1-2 west) dishes-0-2)
    (= (next floor-6-2 north) floor-6-1)
    (= (next floor-6-2 south) floor-6-3)
    (= (ahead floor-6-2 east) window-7-2)
    (= (ahead floor-6-2 west) counter-5-2)
    (= (next floor-1-3 north) floor-1-2)
    (= (ahead floor-1-3 south) counter-1-4)
    (= (next floor-1-3 east) floor-2-3)
    (= (ahead floor-1-3 west) counter-0-3)
    (= (ahead floor-2-3 north) counter-2-2)
    (= (ahead floor-2-3 south) counter-2-4)
    (= (next floor-2-3 east) floor-3-3)
    (= (next floor-2-3 west) floor-1-3)
    (= (ahead floor-3-3 north) counter-3-2)
    (= (ahead floor-3-3 south) onions-3-4)
    (= (next floor-3-3 east) floor-4-3)
    (= (next floor-3-3 west) floor-2-3)
    (= (ahead floor-4-3 north) counter-4-2)
    (= (ahead floor-4-3 south) onions-4-4)
    (= (next floor-4-3 east) floor-5-3)
    (= (next floor-4-3 west) floor-3-3)
    (= (ahead floor-5-3 north) counter-5-2)
    (= (ahead floor-5-3 south) counter-5-4)
    (= (next floor-5-3 east) floor-6-3)
    (= (next floor-5-3 west) floor-4-3)
    (= (next floor-6-3 north) floor-6-2)
    (= (ahead floor-6-3 south) counter-6-4)
    (= (ahead floor-6-3 east) counter-7-3)
    (= (next floor-6-3 west) floor-5-3)
    (= (in pot-3-0) nothing)
    (= (in pot-4-0) nothing)
    (= (gives dishes-0-2) dish)
    (= (gives onions-3-4) onion)
    (= (gives onions-4-4) onion)
    (= (cook-time soup-o) 20)
    (= (cook-time soup-oo) 20)
    (= (cook-time soup-ooo) 20)
    (= (worth soup-ooo) 20)
    (= (at player1) floor-3-3)
    (= (facing player1) north)
    (= (at player2) floor-3-1)
    (= (facing player2) north))
  (:metric maximize (reward))
  (:horizon 400)
  (:layout
    (rows "XXXPPXXX"
          "X......X"
          "D.XXXX.S"
          "X......X"
          "XXXOOXXX")
    (cell counter-1-0 1 0) (cell counter-2-0 2 0) (cell pot-3-0 3 0) (cell pot-4-0 4 0)
    (cell counter-5-0 5 0) (cell counter-6-0 6 0)
    (cell counter-0-1 0 1) (cell floor-1-1 1 1) (cell floor-2-1 2 1) (cell floor-3-1 3 1)
    (cell floor-4-1 4 1) (cell floor-5-1 5 1) (cell floor-6-1 6 1) (cell counter-7-1 7 1)
    (cell dishes-0-2 0 2) (cell floor-1-2 1 2) (cell counter-2-2 2 2) (cell counter-3-2 3 2)
    (cell counter-4-2 4 2) (cell counter-5-2 5 2) (cell floor-6-2 6 2) (cell window-7-2 7 2)
    (cell counter-0-3 0 3) (cell floor-1-3 1 3) (cell floor-2-3 2 3) (cell floor-3-3 3 3)
    (cell floor-4-3 4 3) (cell floor-5-3 5 3) (cell floor-6-3 6 3) (cell counter-7-3 7 3)
    (cell counter-1-4 1 4) (cell counter-2-4 2 4) (cell onions-3-4 3 4) (cell onions-4-4 4 4)
    (cell counter-5-4 5 4) (cell counter-6-4 6 4)))
