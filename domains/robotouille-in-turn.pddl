(define (domain robotouille-in-turn)
  (:requirements :adl :delayed-effects :sequential-effects :multi-agent :aggregates :horizon :text)
  (:semantics clean upstream)
  (:turns alternate)
  (:live-effects list-skipping :semantics upstream)
  (:types station item player container meal)
  (:predicates
    (istable ?s - station :text "{?s} is a table")
    (isstove ?s - station :text "{?s} is a stove")
    (isboard ?s - station :text "{?s} is a cutting board")
    (isfryer ?s - station :text "{?s} is a fryer")
    (issink ?s - station :text "{?s} is a sink")
    (isrobot ?p - player :text "{?p} is a robot")
    (istopbun ?i - item :text "{?i} is a top bun")
    (isbottombun ?i - item :text "{?i} is a bottom bun")
    (isbread ?i - item :text "{?i} is a bread slice")
    (islettuce ?i - item :text "{?i} is a head of lettuce")
    (isonion ?i - item :text "{?i} is an onion")
    (istomato ?i - item :text "{?i} is a tomato")
    (ispatty ?i - item :text "{?i} is a hamburger patty")
    (ischicken ?i - item :text "{?i} is a chicken breast")
    (ischeese ?i - item :text "{?i} is a cheese slice")
    (ispotato ?i - item :text "{?i} is a potato")
    (isfryable ?i - item :text "{?i} can be fried in a fryer")
    (isfryableifcut ?i - item :text "{?i} can be fried in a fryer after being cut")
    (isfried ?i - item :text "{?i} is fried")
    (iscookable ?i - item :text "{?i} can be cooked on a stove")
    (iscooking ?i - item :text "{?i} is cooking")
    (iscooked ?i - item :text "{?i} is cooked")
    (iscuttable ?i - item :text "{?i} can be cut on a cutting board")
    (iscut ?i - item :text "{?i} is cut")
    (ispot ?c - container :text "{?c} is a pot")
    (isbowl ?c - container :text "{?c} is a bowl")
    (iswater ?m - meal :text "{?m} is water")
    (isboiling ?m - meal :text "{?m} is boiling")
    (loc ?p - player ?s - station :text ?p "{?p} is at {?s}" :text ?s "{?s} is occupied by {?p}")
    (item_at ?i - item ?s - station :text ?i "{?i} is at {?s}" :text ?s "{?s} has {?i}")
    (nothing ?p - player :text "{?p} is holding nothing")
    (station_empty ?s - station :text "{?s} has nothing on it")
    (container_empty ?c - container :text "{?c} has nothing inside it")
    (item_on ?i - item ?s - station
      :text ?i "{?i} is directly on top of {?s}"
      :text ?s "{?s} has {?i} directly on top of it")
    (vacant ?s - station :text "{?s} has no players at it")
    (clear ?i - item :text "{?i} has nothing above it")
    (atop ?i1 ?i2 - item
      :text ?i1 "{?i1} is directly on top of {?i2}"
      :text ?i2 "{?i2} is directly under {?i1}")
    (has_item ?p - player ?i - item :text ?p "{?p} is holding {?i}" :text ?i "{?i} is held by {?p}")
    (has_container ?p - player ?c - container
      :text ?p "{?p} is holding {?c}"
      :text ?c "{?c} is held by {?p}")
    (in ?m - meal ?c - container :text ?m "{?m} is inside of {?c}" :text ?c "{?c} contains {?m}")
    (addedto ?i - item ?m - meal
      :text ?i "{?i} is added to {?m}"
      :text ?m "{?m} has {?i} added to it")
    (container_at ?c - container ?s - station :text ?c "{?c} is at {?s}" :text ?s "{?s} has {?c}")
    (free-water ?m - meal)
    (pool-exhausted))

  (:action move
    :agent ?p1 - player
    :parameters (?s1 ?s2 - station)
    :precondition (and (loc ?p1 ?s1) (vacant ?s2) (not (= ?s1 ?s2)))
    :effect (and (loc ?p1 ?s2) (not (loc ?p1 ?s1)) (vacant ?s1) (not (vacant ?s2)))
    :text "Move {?p1} from {?s1} to {?s2}")

  (:action pick-up-item
    :agent ?p1 - player
    :parameters (?i1 - item ?s1 - station)
    :precondition (and (nothing ?p1) (item_on ?i1 ?s1) (loc ?p1 ?s1) (clear ?i1))
    :effect (and (has_item ?p1 ?i1)
                 (station_empty ?s1)
                 (not (nothing ?p1))
                 (not (item_at ?i1 ?s1))
                 (not (clear ?i1))
                 (not (item_on ?i1 ?s1)))
    :text "Pick up {?i1} from {?s1} using {?p1}")

  (:action place-item
    :agent ?p1 - player
    :parameters (?i1 - item ?s1 - station)
    :precondition (and (has_item ?p1 ?i1) (loc ?p1 ?s1) (station_empty ?s1))
    :effect (and (nothing ?p1)
                 (item_at ?i1 ?s1)
                 (clear ?i1)
                 (item_on ?i1 ?s1)
                 (not (has_item ?p1 ?i1))
                 (not (station_empty ?s1)))
    :text "Place {?i1} on {?s1} using {?p1}")

  (:action pick-up-container
    :agent ?p1 - player
    :parameters (?c1 - container ?s1 - station)
    :precondition (and (nothing ?p1) (container_at ?c1 ?s1) (loc ?p1 ?s1))
    :effect (and (has_container ?p1 ?c1)
                 (not (container_at ?c1 ?s1))
                 (not (nothing ?p1))
                 (station_empty ?s1))
    :text "Pick up {?c1} from {?s1} using {?p1}")

  (:action place-container
    :agent ?p1 - player
    :parameters (?c1 - container ?s1 - station)
    :precondition (and (has_container ?p1 ?c1) (loc ?p1 ?s1) (station_empty ?s1))
    :effect (and (nothing ?p1)
                 (container_at ?c1 ?s1)
                 (not (has_container ?p1 ?c1))
                 (not (station_empty ?s1)))
    :text "Place {?c1} on {?s1} using {?p1}")

  (:action cook
    :agent ?p1 - player
    :parameters (?s1 - station ?i1 - item)
    :precondition (and (isstove ?s1)
                       (iscookable ?i1)
                       (not (iscooking ?i1))
                       (item_on ?i1 ?s1)
                       (loc ?p1 ?s1)
                       (clear ?i1)
                       (nothing ?p1))
    :effect (maintain (item_on ?i1 ?s1) (iscooking ?i1)
              (after 4 (and (iscooked ?i1) (not (iscooking ?i1)))))
    :text "Cook {?i1} on {?s1} using {?p1}")

  (:action cut
    :agent ?p1 - player
    :parameters (?s1 - station ?i1 - item)
    :precondition (and (isboard ?s1)
                       (iscuttable ?i1)
                       (item_on ?i1 ?s1)
                       (loc ?p1 ?s1)
                       (clear ?i1)
                       (nothing ?p1))
    :effect (seq (on-nth 3 (iscut ?i1))
                 (maintain (and (isfryableifcut ?i1) (iscut ?i1)) (isfryable ?i1) (and)))
    :text "Cut {?i1} on {?s1} using {?p1}")

  (:action fry
    :agent ?p1 - player
    :parameters (?s1 - station ?i1 - item)
    :precondition (and (isfryer ?s1)
                       (isfryable ?i1)
                       (item_on ?i1 ?s1)
                       (loc ?p1 ?s1)
                       (clear ?i1)
                       (nothing ?p1))
    :effect (maintain (item_on ?i1 ?s1) (and) (after 4 (isfried ?i1)))
    :text "Fry {?i1} on {?s1} using {?p1}")

  (:action fill-pot
    :agent ?p1 - player
    :parameters (?c1 - container ?s1 - station)
    :precondition (and (ispot ?c1)
                       (issink ?s1)
                       (loc ?p1 ?s1)
                       (container_at ?c1 ?s1)
                       (container_empty ?c1)
                       (nothing ?p1))
    :effect (maintain (container_at ?c1 ?s1) (and)
              (after 4
                (let ((?m1 (argmin (?m1 - meal) (free-water ?m1) 0)))
                  (and (not (free-water ?m1))
                       (iswater ?m1)
                       (in ?m1 ?c1)
                       (not (container_empty ?c1)))
                  :else (pool-exhausted))))
    :text "Fill {?c1} with water from {?s1} using {?p1}")

  (:action boil-water
    :agent ?p1 - player
    :parameters (?c1 - container ?m1 - meal ?s1 - station)
    :precondition (and (ispot ?c1)
                       (iswater ?m1)
                       (in ?m1 ?c1)
                       (isstove ?s1)
                       (container_at ?c1 ?s1)
                       (loc ?p1 ?s1)
                       (nothing ?p1))
    :effect (maintain (container_at ?c1 ?s1) (and) (after 4 (isboiling ?m1)))
    :text "Boil {?c1}'s contents on {?s1} using {?p1}")

  (:action add-to
    :agent ?p1 - player
    :parameters (?c1 - container ?i1 - item ?m1 - meal ?s1 - station)
    :precondition (and (ispot ?c1)
                       (not (addedto ?i1 ?m1))
                       (in ?m1 ?c1)
                       (loc ?p1 ?s1)
                       (container_at ?c1 ?s1)
                       (has_item ?p1 ?i1))
    :effect (and (addedto ?i1 ?m1) (not (has_item ?p1 ?i1)) (nothing ?p1))
    :text "Add {?i1} into {?c1} using {?p1}")

  (:action fill-bowl
    :agent ?p1 - player
    :parameters (?c1 ?c2 - container ?s1 - station ?m1 - meal)
    :precondition (and (isbowl ?c1)
                       (ispot ?c2)
                       (container_at ?c1 ?s1)
                       (in ?m1 ?c2)
                       (loc ?p1 ?s1)
                       (container_empty ?c1)
                       (has_container ?p1 ?c2)
                       (not (= ?c1 ?c2)))
    :effect (and (in ?m1 ?c1) (not (in ?m1 ?c2)) (not (container_empty ?c1)) (container_empty ?c2))
    :text "Fill {?c1} with {?c2}'s contents using {?p1}")

  (:action stack
    :agent ?p1 - player
    :parameters (?i1 ?i2 - item ?s1 - station)
    :precondition (and (has_item ?p1 ?i1)
                       (clear ?i2)
                       (loc ?p1 ?s1)
                       (item_at ?i2 ?s1)
                       (not (= ?i1 ?i2)))
    :effect (and (nothing ?p1)
                 (item_at ?i1 ?s1)
                 (atop ?i1 ?i2)
                 (clear ?i1)
                 (not (clear ?i2))
                 (not (has_item ?p1 ?i1)))
    :text "Stack {?i1} on top of {?i2} using {?p1}")

  (:action unstack
    :agent ?p1 - player
    :parameters (?i1 ?i2 - item ?s1 - station)
    :precondition (and (nothing ?p1)
                       (clear ?i1)
                       (atop ?i1 ?i2)
                       (loc ?p1 ?s1)
                       (item_at ?i1 ?s1)
                       (item_at ?i2 ?s1)
                       (not (= ?i1 ?i2)))
    :effect (and (has_item ?p1 ?i1)
                 (clear ?i2)
                 (not (nothing ?p1))
                 (not (atop ?i1 ?i2))
                 (not (clear ?i1))
                 (not (item_at ?i1 ?s1)))
    :text "Unstack {?i1} from {?i2} using {?p1}")

  (:fail (pool-exhausted)))
