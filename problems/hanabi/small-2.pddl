; Hanabi-Small of the Hanabi Learning Environment: two colours, hands of two cards, one life. It has no deal.
(define (problem small-2)
  (:domain hanabi)
  (:objects
    alice bob - player
    first second - slot
    red yellow - colour
    card1 card2 card3 card4 card5 card6 card7 card8 card9 card10 card11 card12 card13 card14 card15
    card16 card17 card18 card19 card20 - card
    red-one-a red-one-b red-one-c red-two-a red-two-b red-three-a red-three-b red-four-a red-four-b
    red-five yellow-one-a yellow-one-b yellow-one-c yellow-two-a yellow-two-b yellow-three-a
    yellow-three-b yellow-four-a yellow-four-b yellow-five - face)
  (:init
    (= (highest) 5) (= (most-tokens) 3) (= (tokens) 3) (= (lives) 1)
    (= (place first) 1) (= (place second) 2)
    (= (after first) second)
    ; the faces
    (= (colour red-one-a) red) (= (colour red-one-b) red) (= (colour red-one-c) red)
    (= (colour red-two-a) red) (= (colour red-two-b) red) (= (colour red-three-a) red)
    (= (colour red-three-b) red) (= (colour red-four-a) red) (= (colour red-four-b) red)
    (= (colour red-five) red)
    (= (colour yellow-one-a) yellow) (= (colour yellow-one-b) yellow)
    (= (colour yellow-one-c) yellow) (= (colour yellow-two-a) yellow)
    (= (colour yellow-two-b) yellow) (= (colour yellow-three-a) yellow)
    (= (colour yellow-three-b) yellow) (= (colour yellow-four-a) yellow)
    (= (colour yellow-four-b) yellow) (= (colour yellow-five) yellow)
    (= (rank red-one-a) one) (= (rank red-one-b) one) (= (rank red-one-c) one)
    (= (rank yellow-one-a) one) (= (rank yellow-one-b) one) (= (rank yellow-one-c) one)
    (= (rank red-two-a) two) (= (rank red-two-b) two) (= (rank yellow-two-a) two)
    (= (rank yellow-two-b) two)
    (= (rank red-three-a) three) (= (rank red-three-b) three) (= (rank yellow-three-a) three)
    (= (rank yellow-three-b) three)
    (= (rank red-four-a) four) (= (rank red-four-b) four) (= (rank yellow-four-a) four)
    (= (rank yellow-four-b) four)
    (= (rank red-five) five) (= (rank yellow-five) five)
    ; the deck, and the first hands
    (= (below card1) card2) (= (below card2) card3) (= (below card3) card4) (= (below card4) card5)
    (= (below card5) card6) (= (below card6) card7) (= (below card7) card8) (= (below card8) card9)
    (= (below card9) card10) (= (below card10) card11) (= (below card11) card12)
    (= (below card12) card13) (= (below card13) card14) (= (below card14) card15)
    (= (below card15) card16) (= (below card16) card17) (= (below card17) card18)
    (= (below card18) card19) (= (below card19) card20)
    (= (hand alice first) card1) (= (hand alice second) card2)
    (= (hand bob first) card3) (= (hand bob second) card4)
    (= (top) card5) (= (deck) 16))
  (:metric maximize (score))
  (:layout
    (cell first 1 0) (cell second 2 0)
    (cell alice 0 1) (cell bob 0 2)
    (draw "tokens {(tokens)}" red alice) (draw "lives {(lives)}" red alice)
    (draw "deck {(deck)}" red alice)
    (cell red 1 4) (cell yellow 2 4)))
