; One furnace, two dishes.
(define (problem two-meats)
  (:domain minecraft-kitchen)
  (:objects
    alex steve - player
    meadow quarry - place
    furnace1 - furnace
    chest1 - chest)
  (:init
    (= (at alex) furnace1) (= (at steve) furnace1)
    (lives pig meadow) (lives sheep meadow) (lies coal-ore quarry))
  (:goal
    (and (>= (in-chest cooked-porkchop) 1) (>= (in-chest cooked-mutton) 1))
    :text "Put a cooked porkchop and cooked mutton into the chest."))
