; A small kitchen for three cooks while orders come in, are changed, and are cancelled. The porter has
; the pantry and the chopping board, the chef stove and oven, the server plates and the window; what
; one of them makes goes to the next over three counters. So nobody can make a dish alone.
;
; Every action takes one tick. An order exists from the tick on at which its guest wants something;
; what that is may be changed later, as long as nothing was served, and an order may be cancelled:
; timed initial literals of the problem say when. The goal is that every order is served or cancelled,
; so no plan ends before the last order has come.
;
; A cook is told what lies and what happens where it reaches; only those who take orders are told of
; these. docs/reference/systems/order-rush.md is the guide.

(define (domain order-rush)
  (:requirements :adl :multi-agent :object-fluents :numeric-fluents :delayed-effects
                 :derived-predicates :timed-initial-literals :text :partial-observability)

  (:types
    cook place food order - object
    station counter - place
    heater - station)

  (:constants
    porter chef server - cook
    pantry board plates window bin - station
    stove oven - heater
    hatch side pass - counter
    lettuce onion potato fish sliced-onion sliced-potato salad onion-soup fries baked-fish - food)

  (:predicates
    (reaches ?c - cook ?p - place :text "{?c} reaches {?p}")
    (takes-orders ?c - cook)
    (in-stock ?x - food
      :text "there is {?x} in the pantry"
      :observable-by (?v - cook) (reaches ?v pantry))
    (dish ?x - food :text "{?x} can be ordered")
    (busy ?h - heater)  ; what is in it is not done yet
    (plated ?c - cook :text "what {?c} holds is on a plate")
    (served ?o - order :text "{?o} is served" :observable-by (?v - cook) (takes-orders ?v))
    (cancelled ?o - order :text "{?o} is cancelled" :observable-by (?v - cook) (takes-orders ?v))
    ; what is derived to be told
    (empty-handed ?c - cook :text "{?c} holds nothing")
    (free ?p - place :text "{?p} is free" :observable-by (?v - cook) (reaches ?v ?p))
    (in-work ?h - heater ?x - food
      :text "{?x} is in {?h}, not done yet"
      :observable-by (?v - cook) (reaches ?v ?h))
    (there ?p - place ?x - food
      :text "{?x} is ready to be taken from {?p}"
      :observable-by (?v - cook) (reaches ?v ?p)))

  (:functions
    (result ?s - station ?x - food  ; what becomes of ?x there
      :text ?s "{?x} becomes {(result ?s ?x)} at {?s}"
      :observable-by (?v - cook) (reaches ?v ?s)) - food
    (lasts ?h - heater ?x - food  ; in how many ticks
      :text ?h "{?h} needs {(lasts ?h ?x)} ticks for {?x}"
      :observable-by (?v - cook) (reaches ?v ?h)) - number
    (holds ?c - cook :text "{?c} holds {(holds ?c)}") - food
    (on ?p - place) - food  ; of counters and heaters
    (wants ?o - order       ; undefined before the order is placed
      :text "{?o} is for {(wants ?o)}"
      :observable-by (?v - cook) (takes-orders ?v)) - food)

  ; ---- What is told ----

  (:derived (empty-handed ?c - cook) (= (holds ?c) undefined))
  (:derived (free ?p - counter) (= (on ?p) undefined))
  (:derived (free ?p - heater) (= (on ?p) undefined))
  (:derived (in-work ?h - heater ?x - food) (and (= (on ?h) ?x) (busy ?h)))
  (:derived (there ?p - counter ?x - food) (= (on ?p) ?x))
  (:derived (there ?p - heater ?x - food) (and (= (on ?p) ?x) (not (busy ?p))))

  ; ---- Moving things ----

  (:action fetch
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "{?c} does not reach the pantry" (reaches ?c pantry))
                       (else "there is no {?x} in the pantry" (in-stock ?x))
                       (else "{?c} already holds something" (= (holds ?c) undefined)))
    :effect (assign (holds ?c) ?x)
    :label "fetch({?x})"
    :text "fetch {?x} from the pantry")

  (:action take
    :agent ?c - cook
    :parameters (?x - food ?p - place)
    :precondition (and (else "{?c} does not reach {?p}" (reaches ?c ?p))
                       (else "there is no {?x} on {?p}" (= (on ?p) ?x))
                       (else "{?x} is not done yet"
                         (not (exists (?h - heater) (and (= ?h ?p) (busy ?h)))))
                       (else "{?c} already holds something" (= (holds ?c) undefined)))
    :effect (and (assign (holds ?c) ?x) (assign (on ?p) undefined))
    :label "take({?x}, {?p})"
    :text "take {?x} from {?p}")

  (:action put
    :agent ?c - cook
    :parameters (?x - food ?p - counter)
    :precondition (and (else "{?c} does not reach {?p}" (reaches ?c ?p))
                       (else "{?c} does not hold {?x}" (= (holds ?c) ?x))
                       (else "there is something on {?p}" (= (on ?p) undefined))
                       (else "what is on a plate goes to the window" (not (plated ?c))))
    :effect (and (assign (on ?p) ?x) (assign (holds ?c) undefined))
    :label "put({?x}, {?p})"
    :text "put {?x} on {?p}")

  (:action discard
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "{?c} does not reach the bin" (reaches ?c bin))
                       (else "{?c} does not hold {?x}" (= (holds ?c) ?x)))
    :effect (and (assign (holds ?c) undefined) (not (plated ?c)))
    :label "discard({?x})"
    :text "throw {?x} away")

  ; ---- Making dishes ----

  (:action chop
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "{?c} does not reach the board" (reaches ?c board))
                       (else "{?x} is not to be chopped" (not (= (result board ?x) undefined)))
                       (else "{?c} does not hold {?x}" (= (holds ?c) ?x)))
    :effect (assign (holds ?c) (result board ?x))
    :label "chop({?x})"
    :text "chop {?x}")

  (:action heat
    :agent ?c - cook
    :parameters (?x - food ?h - heater)
    :precondition (and (else "{?c} does not reach {?h}" (reaches ?c ?h))
                       (else "{?x} does not go into {?h}" (not (= (result ?h ?x) undefined)))
                       (else "{?c} does not hold {?x}" (= (holds ?c) ?x))
                       (else "there is something in {?h}" (= (on ?h) undefined)))
    :effect (and (assign (holds ?c) undefined)
                 (assign (on ?h) ?x)
                 (busy ?h)
                 (after (lasts ?h ?x) (and (assign (on ?h) (result ?h ?x)) (not (busy ?h)))))
    :label "heat({?x}, {?h})"
    :text "heat {?x} in {?h}")

  ; ---- Serving ----

  (:action plate
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "{?c} does not reach the plates" (reaches ?c plates))
                       (else "{?x} is no dish" (dish ?x))
                       (else "{?c} does not hold {?x}" (= (holds ?c) ?x))
                       (else "it is on a plate already" (not (plated ?c))))
    :effect (plated ?c)
    :label "plate({?x})"
    :text "put {?x} on a plate")

  ; brigade: allow W0226 "only the server reaches the window, and takes the orders"
  (:action serve
    :agent ?c - cook
    :parameters (?x - food ?o - order)
    :precondition (and (else "{?c} does not reach the window" (reaches ?c window))
                       (else "{?c} does not hold {?x}" (= (holds ?c) ?x))
                       (else "{?x} is not on a plate" (plated ?c))
                       (else "{?o} is not for {?x}" (= (wants ?o) ?x))
                       (else "{?o} is cancelled" (not (cancelled ?o)))
                       (else "{?o} is served already" (not (served ?o))))
    :effect (and (served ?o) (assign (holds ?c) undefined) (not (plated ?c)))
    :label "serve({?x}, {?o})"
    :text "serve {?x} for {?o}")

  (:facts
    (takes-orders server)
    (reaches porter pantry) (reaches porter board) (reaches porter bin)
    (reaches porter hatch) (reaches porter side)
    (reaches chef stove) (reaches chef oven) (reaches chef bin)
    (reaches chef hatch) (reaches chef pass)
    (reaches server plates) (reaches server window) (reaches server bin)
    (reaches server side) (reaches server pass)
    (dish salad) (dish onion-soup) (dish fries) (dish baked-fish)
    (in-stock lettuce) (in-stock onion) (in-stock potato) (in-stock fish)
    (= (result board lettuce) salad)
    (= (result board onion) sliced-onion)
    (= (result board potato) sliced-potato)
    (= (result stove sliced-onion) onion-soup) (= (lasts stove sliced-onion) 4)
    (= (result stove sliced-potato) fries) (= (lasts stove sliced-potato) 2)
    (= (result oven fish) baked-fish) (= (lasts oven fish) 3)))
