; Level 7 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-7)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    pot0 pot1 - tool
    onionPotatoCarrotSoup onionPotatoLeekSoup onionBroccoliCheeseSoup - dish)
  (:init
    (= (at agent0) servingtable0)
    (stocked onion) (stocked potato) (stocked carrot) (stocked leek) (stocked broccoli)
    (stocked cheese)
    (= (kind-of pot0) pot)
    (= (kind-of pot1) pot)
    (= (made-in onionPotatoCarrotSoup) pot) (needs onionPotatoCarrotSoup onion)
    (needs onionPotatoCarrotSoup potato) (needs onionPotatoCarrotSoup carrot)
    (= (made-in onionPotatoLeekSoup) pot) (needs onionPotatoLeekSoup onion)
    (needs onionPotatoLeekSoup potato) (needs onionPotatoLeekSoup leek)
    (= (made-in onionBroccoliCheeseSoup) pot) (needs onionBroccoliCheeseSoup onion)
    (needs onionBroccoliCheeseSoup broccoli) (needs onionBroccoliCheeseSoup cheese))
  (:horizon 60)
  (:metric maximize (completed)))
