; A game that can be searched: two colours, three ranks, hands of two cards. It has no deal. Its plans are
; of players who know all cards.
(define (problem tiny-2)
  (:domain hanabi)
  (:objects
    alice bob - player
    first second - slot
    red yellow - colour
    card1 card2 card3 card4 card5 card6 card7 card8 card9 card10 - card
    red-one-a red-one-b red-two-a red-two-b red-three yellow-one-a yellow-one-b yellow-two-a
    yellow-two-b yellow-three - face)
  (:init
    (= (highest) 3) (= (most-tokens) 3) (= (tokens) 3) (= (lives) 2)
    (= (place first) 1) (= (place second) 2)
    (= (after first) second)
    ; the faces
    (= (colour red-one-a) red) (= (colour red-one-b) red) (= (colour red-two-a) red)
    (= (colour red-two-b) red) (= (colour red-three) red)
    (= (colour yellow-one-a) yellow) (= (colour yellow-one-b) yellow)
    (= (colour yellow-two-a) yellow) (= (colour yellow-two-b) yellow)
    (= (colour yellow-three) yellow)
    (= (rank red-one-a) one) (= (rank red-one-b) one) (= (rank yellow-one-a) one)
    (= (rank yellow-one-b) one)
    (= (rank red-two-a) two) (= (rank red-two-b) two) (= (rank yellow-two-a) two)
    (= (rank yellow-two-b) two)
    (= (rank red-three) three) (= (rank yellow-three) three)
    ; the deck, and the first hands
    (= (below card1) card2) (= (below card2) card3) (= (below card3) card4) (= (below card4) card5)
    (= (below card5) card6) (= (below card6) card7) (= (below card7) card8) (= (below card8) card9)
    (= (below card9) card10)
    (= (hand alice first) card1) (= (hand alice second) card2)
    (= (hand bob first) card3) (= (hand bob second) card4)
    (= (top) card5) (= (deck) 6))
  (:goal (forall (?k - colour) (= (stack ?k) (highest))) :text "Complete all stacks.")
  (:layout
    (cell first 1 0) (cell second 2 0)
    (cell alice 0 1) (cell bob 0 2)
    (draw "tokens {(tokens)}" red alice) (draw "lives {(lives)}" red alice)
    (draw "deck {(deck)}" red alice)
    (cell red 1 4) (cell yellow 2 4)))
