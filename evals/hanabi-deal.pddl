; A deal of `face`, seed 6.
(define (stream deal-6)
  (:domain hanabi)
  (:init
    (= (face card1) red-three)
    (= (face card2) red-one-b)
    (= (face card3) red-two-a)
    (= (face card4) yellow-two-b)
    (= (face card5) yellow-two-a)
    (= (face card6) red-two-b)
    (= (face card7) yellow-one-b)
    (= (face card8) yellow-three)
    (= (face card9) red-one-a)
    (= (face card10) yellow-one-a)))
