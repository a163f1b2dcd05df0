; Cooking in Minecraft, the second domain of MindAgent (Gong et al., "MindAgent: Emergent Gaming
; Interaction", 2023): two players kill animals, mine, cook in furnaces, and fill a chest. The paper names
; what players can do; the rules are our own.
;
; A player walks anywhere in one step. Animals and blocks come back, so what is there stays there. A
; furnace that has fuel and something to cook is lit by itself, burns for three steps, and then holds what
; has become of it; a piece of coal lasts for eight things, a log for one. What lies in the chest serves the
; orders for it, those first that are due first.
;
; docs/reference/systems/minecraft-kitchen.md is the guide.

(define (domain minecraft-kitchen)
  (:requirements :adl :multi-agent :object-fluents :numeric-fluents :bounded-numbers :aggregates
                 :delayed-effects :events :timed-initial-literals :derived-predicates :horizon
                 :text)

  (:types
    player place item mob block order - object
    furnace chest - place
    fuel food - item)

  (:constants
    coal log - fuel
    porkchop mutton chicken potato cooked-porkchop cooked-mutton cooked-chicken baked-potato - food
    pig sheep hen - mob
    coal-ore tree potato-crop - block)

  (:predicates
    (lives ?m - mob ?p - place :text ?p "{?m} is near {?p}")
    (lies ?b - block ?p - place :text ?p "{?b} is near {?p}")
    (lit ?f - furnace :text "{?f} is lit")
    (waiting ?o - order)
    (overdue ?o - order)  ; its time is up: it cannot be served any more
    ; what is derived to be told
    (ordered ?o - order ?i - food
      :text "{?o} is for {?i}, to be in the chest before tick {(due ?o)}"))

  (:functions
    (drops ?m - mob) - food
    (yields ?b - block) - item
    (cooked ?i - food) - food   ; what becomes of it in a furnace
    (lasts ?i - fuel) - number  ; for so many things
    (at ?c - player :text "{?c} is at {(at ?c)}") - place
    (has ?c - player ?i - item :text "{?c} has {(has ?c ?i)} of {?i}") - (int 0 8)
    (fuel-in ?f - furnace :text "{?f} has fuel for {(fuel-in ?f)} things") - (int 0 16)
    (in ?f - furnace :text "{(in ?f)} is in {?f}") - food
    (in-chest ?i - item :text "the chest has {(in-chest ?i)} of {?i}") - (int 0 30)
    (wants ?o - order) - food
    (due ?o - order) - number
    (completed) - number
    (failed) - number)

  (:derived (ordered ?o - order ?i - food) (and (waiting ?o) (= (wants ?o) ?i)))

  ; ---- What players do ----

  (:action goto
    :agent ?c - player
    :parameters (?p - place)
    :precondition (else "{?c} is there" (not (= (at ?c) ?p)))
    :effect (assign (at ?c) ?p)
    :label "goto({?p})"
    :text "go to {?p}")

  (:action kill-mob
    :agent ?c - player
    :parameters (?m - mob)
    :precondition (and (else "no {?m} is near" (lives ?m (at ?c)))
                       (else "{?c} has no room for it" (< (has ?c (drops ?m)) 8)))
    :effect (increase (has ?c (drops ?m)) 1)
    :label "killMob({?m})"
    :text "kill the {?m}")

  (:action mine-block
    :agent ?c - player
    :parameters (?b - block)
    :precondition (and (else "no {?b} is near" (lies ?b (at ?c)))
                       (else "{?c} has no room for it" (< (has ?c (yields ?b)) 8)))
    :effect (increase (has ?c (yields ?b)) 1)
    :label "mineBlock({?b})"
    :text "mine the {?b}")

  (:action put-fuel-furnace
    :agent ?c - player
    :parameters (?i - fuel ?f - furnace)
    :precondition (and (else "{?c} is not at {?f}" (= (at ?c) ?f))
                       (else "{?c} has no {?i}" (> (has ?c ?i) 0))
                       (else "{?f} takes no more" (<= (+ (fuel-in ?f) (lasts ?i)) 16)))
    :effect (and (decrease (has ?c ?i) 1) (increase (fuel-in ?f) (lasts ?i)))
    :label "putFuelFurnace({?i}, {?f})"
    :text "put {?i} under {?f}")

  (:action put-item-furnace
    :agent ?c - player
    :parameters (?i - food ?f - furnace)
    :precondition (and (else "{?i} is not to be cooked" (not (= (cooked ?i) undefined)))
                       (else "{?c} is not at {?f}" (= (at ?c) ?f))
                       (else "{?c} has no {?i}" (> (has ?c ?i) 0))
                       (else "something is in {?f}" (= (in ?f) undefined)))
    :effect (and (decrease (has ?c ?i) 1) (assign (in ?f) ?i))
    :label "putItemFurnace({?i}, {?f})"
    :text "put {?i} into {?f}")

  (:action take-out-furnace
    :agent ?c - player
    :parameters (?i - food ?f - furnace)
    :precondition (and (else "{?c} is not at {?f}" (= (at ?c) ?f))
                       (else "there is no {?i} in {?f}" (= (in ?f) ?i))
                       (else "{?f} is lit" (not (lit ?f)))
                       (else "{?c} has no room for it" (< (has ?c ?i) 8)))
    :effect (and (increase (has ?c ?i) 1) (assign (in ?f) undefined))
    :label "takeOutFurnace({?i}, {?f})"
    :text "take {?i} out of {?f}")

  (:action put-in-chest
    :agent ?c - player
    :parameters (?i - item ?k - chest)
    :precondition (and (else "{?c} is not at {?k}" (= (at ?c) ?k))
                       (else "{?c} has no {?i}" (> (has ?c ?i) 0))
                       (else "the chest is full" (< (in-chest ?i) 30)))
    :effect (and (decrease (has ?c ?i) 1) (increase (in-chest ?i) 1))
    :label "putInChest({?i})"
    :text "put {?i} into {?k}")

  ; ---- The end of a step ----

  (:event light
    :parameters (?f - furnace)
    :precondition (and (not (lit ?f)) (> (fuel-in ?f) 0) (not (= (cooked (in ?f)) undefined)))
    :effect (and (lit ?f)
                 (decrease (fuel-in ?f) 1)
                 (after 3 (and (assign (in ?f) (cooked (in ?f))) (not (lit ?f))))))

  (:event serve
    :parameters (?o - order)
    :precondition (and (waiting ?o)
                       (< (count (?p - order)
                            (and (waiting ?p) (= (wants ?p) (wants ?o)) (< (due ?p) (due ?o))))
                          (in-chest (wants ?o))))
    :effect (and (not (waiting ?o)) (decrease (in-chest (wants ?o)) 1) (increase (completed) 1)))

  (:event lapse
    :parameters (?o - order)
    :precondition (and (waiting ?o) (overdue ?o))
    :effect (and (not (waiting ?o)) (increase (failed) 1)))

  (:tick timers light serve timed-literals lapse)

  (:facts
    (= (drops pig) porkchop) (= (drops sheep) mutton) (= (drops hen) chicken)
    (= (yields coal-ore) coal) (= (yields tree) log) (= (yields potato-crop) potato)
    (= (lasts coal) 8) (= (lasts log) 1)
    (= (cooked porkchop) cooked-porkchop) (= (cooked mutton) cooked-mutton)
    (= (cooked chicken) cooked-chicken) (= (cooked potato) baked-potato)))
