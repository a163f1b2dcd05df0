; Level 11 of CuisineWorld, with one cook and no orders: `brigade generate orders` draws these, and
; brings more cooks.
(define (problem level-11)
  (:domain cuisineworld)
  (:objects
    agent0 - cook
    storage0 - storage
    servingtable0 - table
    pan0 pan1 mixer0 mixer1 pot0 pot1 chopboard0 chopboard1 - tool
    BurritodePastor BurritodeAsada BurritodePollo salmonSushi tunaSushi - dish
    sauteedPork cookedRice sauteedBeef sauteedChicken salmonSashimi tunaSashimi - product)
  (:init
    (= (at agent0) servingtable0)
    (stocked tortilla) (stocked pork) (stocked rice) (stocked beef) (stocked chicken)
    (stocked salmon) (stocked tuna)
    (= (kind-of pan0) pan)
    (= (kind-of pan1) pan)
    (= (kind-of mixer0) mixer)
    (= (kind-of mixer1) mixer)
    (= (kind-of pot0) pot)
    (= (kind-of pot1) pot)
    (= (kind-of chopboard0) chopboard)
    (= (kind-of chopboard1) chopboard)
    (= (made-in BurritodePastor) mixer) (needs BurritodePastor sauteedPork)
    (needs BurritodePastor cookedRice) (needs BurritodePastor tortilla)
    (= (made-in sauteedPork) pan) (needs sauteedPork pork)
    (= (made-in cookedRice) pot) (needs cookedRice rice)
    (= (made-in BurritodeAsada) mixer) (needs BurritodeAsada sauteedBeef)
    (needs BurritodeAsada cookedRice) (needs BurritodeAsada tortilla)
    (= (made-in sauteedBeef) pan) (needs sauteedBeef beef)
    (= (made-in BurritodePollo) mixer) (needs BurritodePollo sauteedChicken)
    (needs BurritodePollo cookedRice) (needs BurritodePollo tortilla)
    (= (made-in sauteedChicken) pan) (needs sauteedChicken chicken)
    (= (made-in salmonSushi) mixer) (needs salmonSushi salmonSashimi) (needs salmonSushi cookedRice)
    (= (made-in salmonSashimi) chopboard) (needs salmonSashimi salmon)
    (= (made-in tunaSushi) mixer) (needs tunaSushi tunaSashimi) (needs tunaSushi cookedRice)
    (= (made-in tunaSashimi) chopboard) (needs tunaSashimi tuna))
  (:horizon 60)
  (:metric maximize (completed)))
