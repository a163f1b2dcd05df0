; XXPXX
; O  2T
; X1  X
; XDXSX

(define (problem cramped_room_tomato)
  (:domain overcooked-ai)
  (:objects
    player1 player2 - player
    floor-1-1 floor-2-1 floor-3-1 floor-1-2 floor-2-2 floor-3-2 - floor
    counter-1-0 counter-3-0 counter-0-2 counter-4-2 counter-2-3 - counter
    onions-0-1 tomatoes-4-1 dishes-1-3 - dispenser
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
    (= (ahead floor-3-1 east) tomatoes-4-1)
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
    (= (gives tomatoes-4-1) tomato)
    (= (gives dishes-1-3) dish)
    (= (cook-time soup-o) 10)
    (= (cook-time soup-t) 10)
    (= (cook-time soup-oo) 20)
    (= (cook-time soup-ot) 20)
    (= (worth soup-ot) 50)
    (= (cook-time soup-tt) 20)
    (= (cook-time soup-ooo) 30)
    (= (worth soup-ooo) 45)
    (= (cook-time soup-oot) 30)
    (= (cook-time soup-ott) 30)
    (= (cook-time soup-ttt) 30)
    (= (worth soup-ttt) 30)
    (= (at player1) floor-1-2)
    (= (facing player1) north)
    (= (at player2) floor-3-1)
    (= (facing player2) north))
  (:metric maximize (reward))
  (:horizon 400)
  (:layout
    (rows "XXPXX"
          "O...T"
          "X...X"
          "XDXSX")
    (cell counter-1-0 1 0) (cell pot-2-0 2 0) (cell counter-3-0 3 0)
    (cell onions-0-1 0 1) (cell floor-1-1 1 1) (cell floor-2-1 2 1) (cell floor-3-1 3 1)
    (cell tomatoes-4-1 4 1)
    (cell counter-0-2 0 2) (cell floor-1-2 1 2) (cell floor-2-2 2 2) (cell floor-3-2 3 2)
    (cell counter-4-2 4 2)
    (cell dishes-1-3 1 3) (cell counter-2-3 2 3) (cell window-3-3 3 3)))
