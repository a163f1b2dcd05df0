; One dish: meat and coal are gathered at the same time.
(define (problem porkchop)
  (:domain minecraft-kitchen)
  (:objects
    alex steve - player
    meadow quarry - place
    furnace1 - furnace
    chest1 - chest)
  (:init
    (= (at alex) furnace1) (= (at steve) furnace1)
    (lives pig meadow) (lies coal-ore quarry))
  (:goal (>= (in-chest cooked-porkchop) 1) :text "Put a cooked porkchop into the chest."))
