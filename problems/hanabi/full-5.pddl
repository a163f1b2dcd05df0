; The full game for five players. It has no deal: `brigade generate deal` makes one.
(define (problem full-5)
  (:domain hanabi)
  (:objects
    alice bob cathy donald emily - player
    first second third fourth - slot
    red yellow green white blue - colour
    card1 card2 card3 card4 card5 card6 card7 card8 card9 card10 card11 card12 card13 card14 card15
    card16 card17 card18 card19 card20 card21 card22 card23 card24 card25 card26 card27 card28
    card29 card30 card31 card32 card33 card34 card35 card36 card37 card38 card39 card40 card41
    card42 card43 card44 card45 card46 card47 card48 card49 card50 - card
    red-one-a red-one-b red-one-c red-two-a red-two-b red-three-a red-three-b red-four-a red-four-b
    red-five yellow-one-a yellow-one-b yellow-one-c yellow-two-a yellow-two-b yellow-three-a
    yellow-three-b yellow-four-a yellow-four-b yellow-five green-one-a green-one-b green-one-c
    green-two-a green-two-b green-three-a green-three-b green-four-a green-four-b green-five
    white-one-a white-one-b white-one-c white-two-a white-two-b white-three-a white-three-b
    white-four-a white-four-b white-five blue-one-a blue-one-b blue-one-c blue-two-a blue-two-b
    blue-three-a blue-three-b blue-four-a blue-four-b blue-five - face)
  (:init
    (= (highest) 5) (= (most-tokens) 8) (= (tokens) 8) (= (lives) 3)
    (= (place first) 1) (= (place second) 2) (= (place third) 3) (= (place fourth) 4)
    (= (after first) second) (= (after second) third) (= (after third) fourth)
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
    (= (colour green-one-a) green) (= (colour green-one-b) green) (= (colour green-one-c) green)
    (= (colour green-two-a) green) (= (colour green-two-b) green) (= (colour green-three-a) green)
    (= (colour green-three-b) green) (= (colour green-four-a) green)
    (= (colour green-four-b) green) (= (colour green-five) green)
    (= (colour white-one-a) white) (= (colour white-one-b) white) (= (colour white-one-c) white)
    (= (colour white-two-a) white) (= (colour white-two-b) white) (= (colour white-three-a) white)
    (= (colour white-three-b) white) (= (colour white-four-a) white)
    (= (colour white-four-b) white) (= (colour white-five) white)
    (= (colour blue-one-a) blue) (= (colour blue-one-b) blue) (= (colour blue-one-c) blue)
    (= (colour blue-two-a) blue) (= (colour blue-two-b) blue) (= (colour blue-three-a) blue)
    (= (colour blue-three-b) blue) (= (colour blue-four-a) blue) (= (colour blue-four-b) blue)
    (= (colour blue-five) blue)
    (= (rank red-one-a) one) (= (rank red-one-b) one) (= (rank red-one-c) one)
    (= (rank yellow-one-a) one) (= (rank yellow-one-b) one) (= (rank yellow-one-c) one)
    (= (rank green-one-a) one) (= (rank green-one-b) one) (= (rank green-one-c) one)
    (= (rank white-one-a) one) (= (rank white-one-b) one) (= (rank white-one-c) one)
    (= (rank blue-one-a) one) (= (rank blue-one-b) one) (= (rank blue-one-c) one)
    (= (rank red-two-a) two) (= (rank red-two-b) two) (= (rank yellow-two-a) two)
    (= (rank yellow-two-b) two) (= (rank green-two-a) two) (= (rank green-two-b) two)
    (= (rank white-two-a) two) (= (rank white-two-b) two) (= (rank blue-two-a) two)
    (= (rank blue-two-b) two)
    (= (rank red-three-a) three) (= (rank red-three-b) three) (= (rank yellow-three-a) three)
    (= (rank yellow-three-b) three) (= (rank green-three-a) three) (= (rank green-three-b) three)
    (= (rank white-three-a) three) (= (rank white-three-b) three) (= (rank blue-three-a) three)
    (= (rank blue-three-b) three)
    (= (rank red-four-a) four) (= (rank red-four-b) four) (= (rank yellow-four-a) four)
    (= (rank yellow-four-b) four) (= (rank green-four-a) four) (= (rank green-four-b) four)
    (= (rank white-four-a) four) (= (rank white-four-b) four) (= (rank blue-four-a) four)
    (= (rank blue-four-b) four)
    (= (rank red-five) five) (= (rank yellow-five) five) (= (rank green-five) five)
    (= (rank white-five) five) (= (rank blue-five) five)
    ; the deck, and the first hands
    (= (below card1) card2) (= (below card2) card3) (= (below card3) card4) (= (below card4) card5)
    (= (below card5) card6) (= (below card6) card7) (= (below card7) card8) (= (below card8) card9)
    (= (below card9) card10) (= (below card10) card11) (= (below card11) card12)
    (= (below card12) card13) (= (below card13) card14) (= (below card14) card15)
    (= (below card15) card16) (= (below card16) card17) (= (below card17) card18)
    (= (below card18) card19) (= (below card19) card20) (= (below card20) card21)
    (= (below card21) card22) (= (below card22) card23) (= (below card23) card24)
    (= (below card24) card25) (= (below card25) card26) (= (below card26) card27)
    (= (below card27) card28) (= (below card28) card29) (= (below card29) card30)
    (= (below card30) card31) (= (below card31) card32) (= (below card32) card33)
    (= (below card33) card34) (= (below card34) card35) (= (below card35) card36)
    (= (below card36) card37) (= (below card37) card38) (= (below card38) card39)
    (= (below card39) card40) (= (below card40) card41) (= (below card41) card42)
    (= (below card42) card43) (= (below card43) card44) (= (below card44) card45)
    (= (below card45) card46) (= (below card46) card47) (= (below card47) card48)
    (= (below card48) card49) (= (below card49) card50)
    (= (hand alice first) card1) (= (hand alice second) card2) (= (hand alice third) card3)
    (= (hand alice fourth) card4)
    (= (hand bob first) card5) (= (hand bob second) card6) (= (hand bob third) card7)
    (= (hand bob fourth) card8)
    (= (hand cathy first) card9) (= (hand cathy second) card10) (= (hand cathy third) card11)
    (= (hand cathy fourth) card12)
    (= (hand donald first) card13) (= (hand donald second) card14) (= (hand donald third) card15)
    (= (hand donald fourth) card16)
    (= (hand emily first) card17) (= (hand emily second) card18) (= (hand emily third) card19)
    (= (hand emily fourth) card20)
    (= (top) card21) (= (deck) 30))
  (:metric maximize (score))
  (:layout
    (cell first 1 0) (cell second 2 0) (cell third 3 0) (cell fourth 4 0)
    (cell alice 0 1) (cell bob 0 2) (cell cathy 0 3) (cell donald 0 4) (cell emily 0 5)
    (draw "tokens {(tokens)}" red alice) (draw "lives {(lives)}" red alice)
    (draw "deck {(deck)}" red alice)
    (cell red 1 7) (cell yellow 2 7) (cell green 3 7) (cell white 4 7) (cell blue 5 7)))
