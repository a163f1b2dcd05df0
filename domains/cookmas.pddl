; A restaurant after CookMAS, where an orchestrator who reads recipes writes the schedules of three
; cooks, and orders come, change and are cancelled while they cook. No code of it is public: these are
; rules of our own.
;
; An order is one or several dishes, and each is of a menu, perhaps with customs: something left out, the
; grilled part rare or well done. A cook fetches what the pantry has, slices it at a board, heats it in
; the appliance it goes in, and puts it on the plate of a dish at the pass. What is on the fire stays
; there, and heats on, until a cook takes it off. At every appliance there is room for one cook, and in it
; for one thing. A dish is served once all its parts are on the plate; what is then amiss stays so.
;
; A recipe is data for planners: `part`, `least`, `most`. Whoever is told of states in words reads it in
; prose, on the page of the cookbook that lies open while a dish of the menu is to be made.
; docs/reference/systems/cookmas.md is the guide.

(define (domain cookmas)
  (:requirements :adl :multi-agent :object-fluents :numeric-fluents :bounded-numbers :aggregates
                 :derived-predicates :events :timed-initial-literals :horizon :text)

  (:types
    place holder food kind menu doneness order dish - object
    board - place
    appliance - (either place holder)
    cook - holder
    ingredient slices - food)

  (:constants
    pantry pass - place
    grill pot fryer oven - kind
    rare medium well-done - doneness
    lettuce tomato cucumber onion potato carrot mushroom beef patty salmon cod chicken egg pasta
    rice dough bread bun cheese - ingredient
    sliced-tomato sliced-cucumber sliced-onion sliced-potato sliced-carrot sliced-mushroom - slices
    green-salad tomato-soup onion-soup steak-frites burger cheeseburger fish-and-chips
    grilled-salmon tomato-pasta mushroom-risotto roast-chicken baked-potato pizza mushroom-omelette
    - menu)

  (:predicates
    ; recipes
    (part ?m - menu ?x - food)
    ; what guests want
    (without ?d - dish ?x - food :text "{?d} is wanted without {?x}")
    (cancelled ?o - order :text "{?o} is cancelled")
    ; what becomes of it
    (on-plate ?d - dish ?x - food :text "{?x} is on the plate of {?d}")
    (served ?d - dish :text "{?d} is served")
    (amiss ?d - dish :text "{?d} was not as it was wanted")
    (closed ?d - dish :text "nothing more is to be done for {?d}")  ; served or cancelled
    (specially-done ?d - dish ?x - food)                            ; on the grill, and the guest says how long
    (open ?d - dish)                                                ; ordered, and not closed
    ; what is derived to be told
    (on-order ?m - menu)
    (asked-for ?k - doneness :text "{?k} is {(from ?k)} to {(to ?k)} ticks on the grill")
    ; the cookbook
    (page-1
      :text "green-salad: Slice a tomato and add it. Slice a cucumber and add it. Add lettuce.")
    (page-2 :text "tomato-soup: Slice a tomato and boil it for 4 to 6 ticks. Add bread.")
    (page-3 :text "onion-soup: Slice an onion and boil it for 3 to 6 ticks. Add bread and cheese.")
    (page-4
      :text "steak-frites: Grill the beef for 4 to 5 ticks. Slice a potato and fry it for 2 to 4 ticks.")
    (page-5
      :text "burger: Grill a patty for 4 to 5 ticks. Slice a tomato and add it. Add lettuce and a bun.")
    (page-6
      :text "cheeseburger: Grill a patty for 4 to 5 ticks. Slice an onion and add it. Add cheese and a bun.")
    (page-7
      :text "fish-and-chips: Fry the cod for 3 to 4 ticks. Slice a potato and fry it for 2 to 4 ticks.")
    (page-8
      :text "grilled-salmon: Grill the salmon for 4 to 5 ticks. Boil the rice for 5 to 7 ticks.")
    (page-9
      :text "tomato-pasta: Boil the pasta for 5 to 7 ticks. Slice a tomato and add it. Add cheese.")
    (page-10
      :text "mushroom-risotto: Boil the rice for 5 to 7 ticks. Slice a mushroom and fry it for 2 to 3 ticks. Add cheese.")
    (page-11
      :text "roast-chicken: Bake the chicken for 6 to 8 ticks. Slice a carrot and boil it for 2 to 4 ticks.")
    (page-12 :text "baked-potato: Bake a potato for 5 to 7 ticks. Add cheese.")
    (page-13 :text "pizza: Bake the dough for 3 to 4 ticks. Slice a tomato and add it. Add cheese.")
    (page-14
      :text "mushroom-omelette: Fry an egg for 2 to 3 ticks. Slice a mushroom and fry it for 2 to 3 ticks."))

  (:functions
    ; the kitchen
    (kind-of ?a - appliance) - kind
    (sliced ?x - ingredient) - slices
    (goes-in ?x - food) - kind
    ; how many ticks a part is to be on the fire, and a grilled one that is wanted so
    (least ?m - menu ?x - food) - number
    (most ?m - menu ?x - food) - number
    (from ?k - doneness) - number
    (to ?k - doneness) - number
    ; what guests want
    (of ?d - dish) - order
    (wants ?d - dish :text "{?d} of {(of ?d)} is to be {(wants ?d)}") - menu  ; undefined before
    (doneness ?d - dish :text "{?d} is wanted {(doneness ?d)}") - doneness
    ; the state
    (at ?c - cook :text "{?c} is at {(at ?c)}") - place
    (has ?h - holder :text "{?h} holds {(has ?h)}") - food
    (heated ?h - holder :text "{?h}: {(heated ?h)} ticks on the fire") - (int 0 9)  ; what it holds
    (heated-on ?d - dish ?x - food) - (int 0 9)                                     ; what is on its plate
    ; totals
    (dishes-served) - number
    (unserved) - number        ; a problem says how many dishes there will be
    (customs) - number         ; of dishes that were served
    (not-left-out) - number    ; customs that were missed
    (done-otherwise) - number  ; likewise
    (underdone) - number       ; parts that were not as the recipe has them
    (overdone) - number
    (thrown-away) - number)

  (:derived (open ?d - dish) (and (not (= (wants ?d) undefined)) (not (closed ?d))))

  (:derived (specially-done ?d - dish ?x - food)
    (and (= (goes-in ?x) grill) (not (= (doneness ?d) undefined))))

  ; ---- Moving things ----

  (:action go
    :agent ?c - cook
    :parameters (?p - place)
    :precondition (and (else "{?c} is there" (not (= (at ?c) ?p)))
                       (else "another cook is at {?p}"
                         (or (= ?p pantry) (= ?p pass) (forall (?o - cook) (not (= (at ?o) ?p))))))
    :effect (assign (at ?c) ?p)
    :label "go({?p})"
    :text "go to {?p}")

  (:action fetch
    :agent ?c - cook
    :parameters (?x - ingredient)
    :precondition (and (else "{?c} is not at the pantry" (= (at ?c) pantry))
                       (else "{?c} already holds something" (= (has ?c) undefined)))
    :effect (and (assign (has ?c) ?x) (assign (heated ?c) 0))
    :label "fetch({?x})"
    :text "fetch {?x}")

  (:action slice
    :agent ?c - cook
    :parameters (?x - ingredient ?b - board)
    :precondition (and (else "{?x} is not to be sliced" (not (= (sliced ?x) undefined)))
                       (else "{?c} is not at {?b}" (= (at ?c) ?b))
                       (else "{?c} does not hold {?x}" (= (has ?c) ?x))
                       (else "it was on the fire" (= (heated ?c) 0)))
    :effect (assign (has ?c) (sliced ?x))
    :label "slice({?x}, {?b})"
    :text "slice {?x} at {?b}")

  (:action put
    :agent ?c - cook
    :parameters (?x - food ?a - appliance)
    :precondition (and (else "{?x} does not go in {?a}" (= (goes-in ?x) (kind-of ?a)))
                       (else "{?c} is not at {?a}" (= (at ?c) ?a))
                       (else "{?c} does not hold {?x}" (= (has ?c) ?x))
                       (else "{?a} is in use" (= (has ?a) undefined)))
    :effect (and (assign (has ?a) ?x)
                 (assign (heated ?a) (heated ?c))
                 (assign (has ?c) undefined)
                 (assign (heated ?c) 0))
    :label "put({?x}, {?a})"
    :text "put {?x} in {?a}")

  (:action take
    :agent ?c - cook
    :parameters (?x - food ?a - appliance)
    :precondition (and (else "{?x} does not go in {?a}" (= (goes-in ?x) (kind-of ?a)))
                       (else "{?c} is not at {?a}" (= (at ?c) ?a))
                       (else "there is no {?x} in {?a}" (= (has ?a) ?x))
                       (else "{?c} already holds something" (= (has ?c) undefined)))
    :effect (and (assign (has ?c) ?x)
                 (assign (heated ?c) (heated ?a))
                 (assign (has ?a) undefined)
                 (assign (heated ?a) 0))
    :label "take({?x}, {?a})"
    :text "take {?x} from {?a}")

  (:action discard
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "{?c} is not at the pantry" (= (at ?c) pantry))
                       (else "{?c} does not hold {?x}" (= (has ?c) ?x)))
    :effect (and (assign (has ?c) undefined) (assign (heated ?c) 0) (increase (thrown-away) 1))
    :label "discard({?x})"
    :text "throw {?x} away")

  ; ---- Dishes ----

  (:action plate
    :agent ?c - cook
    :parameters (?x - food ?d - dish)
    :precondition (and (else "{?c} is not at the pass" (= (at ?c) pass))
                       (else "{?c} does not hold {?x}" (= (has ?c) ?x))
                       (else "{?d} is not to be made" (open ?d))
                       (else "{?x} is no part of {?d}" (part (wants ?d) ?x))
                       (else "{?x} is on that plate already" (not (on-plate ?d ?x))))
    :effect (and (on-plate ?d ?x)
                 (assign (heated-on ?d ?x) (heated ?c))
                 (assign (has ?c) undefined)
                 (assign (heated ?c) 0))
    :label "plate({?x}, {?d})"
    :text "put {?x} on the plate of {?d}")

  (:action clear
    :agent ?c - cook
    :parameters (?d - dish)
    :precondition (and (else "{?c} is not at the pass" (= (at ?c) pass))
                       (else "{?d} is not to be made" (open ?d))
                       (else "its plate is empty" (exists (?x - food) (on-plate ?d ?x))))
    :effect (and (increase (thrown-away) (count (?x - food) (on-plate ?d ?x)))
                 (forall (?x - food) (and (not (on-plate ?d ?x)) (assign (heated-on ?d ?x) 0))))
    :label "clear({?d})"
    :text "clear the plate of {?d}")

  (:action serve
    :agent ?c - cook
    :parameters (?d - dish)
    :precondition (and (else "{?c} is not at the pass" (= (at ?c) pass))
                       (else "{?d} is not to be made" (open ?d))
                       (else "a part of {?d} is missing"
                         (forall (?x - food)
                           (imply (part (wants ?d) ?x) (or (on-plate ?d ?x) (without ?d ?x)))))
                       (else "something is on the plate of {?d} that is no part of it"
                         (forall (?x - food) (imply (on-plate ?d ?x) (part (wants ?d) ?x)))))
    :effect (and (served ?d)
                 (closed ?d)
                 (increase (dishes-served) 1)
                 (decrease (unserved) 1)
                 ; what the guests find
                 (forall (?x - food)
                   (and (when (and (part (wants ?d) ?x) (or (without ?d ?x) (specially-done ?d ?x)))
                          (increase (customs) 1))
                        (when (and (on-plate ?d ?x) (without ?d ?x))
                          (and (amiss ?d) (increase (not-left-out) 1)))
                        (when (and (on-plate ?d ?x)
                                   (specially-done ?d ?x)
                                   (or (< (heated-on ?d ?x) (from (doneness ?d)))
                                       (> (heated-on ?d ?x) (to (doneness ?d)))))
                          (and (amiss ?d) (increase (done-otherwise) 1)))
                        (when (and (on-plate ?d ?x)
                                   (not (specially-done ?d ?x))
                                   (< (heated-on ?d ?x) (least (wants ?d) ?x)))
                          (and (amiss ?d) (increase (underdone) 1)))
                        (when (and (on-plate ?d ?x)
                                   (not (specially-done ?d ?x))
                                   (> (heated-on ?d ?x) (most (wants ?d) ?x)))
                          (and (amiss ?d) (increase (overdone) 1))))))
    :label "serve({?d})"
    :text "serve {?d}")

  ; ---- The end of a tick ----

  (:event heat
    :parameters (?a - appliance)
    :precondition (not (= (has ?a) undefined))
    :effect (increase (heated ?a) 1))

  (:event strike-off
    :parameters (?d - dish)
    :precondition (and (cancelled (of ?d)) (not (closed ?d)))
    :effect (and (closed ?d) (decrease (unserved) 1)))

  (:tick timers heat timed-literals strike-off)

  (:end (forall (?d - dish) (closed ?d)))

  ; ---- Recipes as data ----

  (:facts
    (= (sliced tomato) sliced-tomato) (= (sliced cucumber) sliced-cucumber)
    (= (sliced onion) sliced-onion) (= (sliced potato) sliced-potato)
    (= (sliced carrot) sliced-carrot) (= (sliced mushroom) sliced-mushroom)
    (= (goes-in beef) grill) (= (goes-in patty) grill) (= (goes-in salmon) grill)
    (= (goes-in sliced-tomato) pot) (= (goes-in sliced-onion) pot) (= (goes-in sliced-carrot) pot)
    (= (goes-in pasta) pot) (= (goes-in rice) pot)
    (= (goes-in sliced-potato) fryer) (= (goes-in sliced-mushroom) fryer)
    (= (goes-in cod) fryer) (= (goes-in egg) fryer)
    (= (goes-in chicken) oven) (= (goes-in potato) oven) (= (goes-in dough) oven)
    (= (from rare) 2) (= (to rare) 3)
    (= (from medium) 4) (= (to medium) 5)
    (= (from well-done) 6) (= (to well-done) 7)

    (part green-salad sliced-tomato) (part green-salad sliced-cucumber) (part green-salad lettuce)

    (part tomato-soup sliced-tomato)
    (= (least tomato-soup sliced-tomato) 4) (= (most tomato-soup sliced-tomato) 6)
    (part tomato-soup bread)

    (part onion-soup sliced-onion)
    (= (least onion-soup sliced-onion) 3) (= (most onion-soup sliced-onion) 6)
    (part onion-soup bread) (part onion-soup cheese)

    (part steak-frites beef)
    (= (least steak-frites beef) 4) (= (most steak-frites beef) 5)
    (part steak-frites sliced-potato)
    (= (least steak-frites sliced-potato) 2) (= (most steak-frites sliced-potato) 4)

    (part burger patty)
    (= (least burger patty) 4) (= (most burger patty) 5)
    (part burger sliced-tomato) (part burger lettuce) (part burger bun)

    (part cheeseburger patty)
    (= (least cheeseburger patty) 4) (= (most cheeseburger patty) 5)
    (part cheeseburger sliced-onion) (part cheeseburger cheese) (part cheeseburger bun)

    (part fish-and-chips cod)
    (= (least fish-and-chips cod) 3) (= (most fish-and-chips cod) 4)
    (part fish-and-chips sliced-potato)
    (= (least fish-and-chips sliced-potato) 2) (= (most fish-and-chips sliced-potato) 4)

    (part grilled-salmon salmon)
    (= (least grilled-salmon salmon) 4) (= (most grilled-salmon salmon) 5)
    (part grilled-salmon rice)
    (= (least grilled-salmon rice) 5) (= (most grilled-salmon rice) 7)

    (part tomato-pasta pasta)
    (= (least tomato-pasta pasta) 5) (= (most tomato-pasta pasta) 7)
    (part tomato-pasta sliced-tomato) (part tomato-pasta cheese)

    (part mushroom-risotto rice)
    (= (least mushroom-risotto rice) 5) (= (most mushroom-risotto rice) 7)
    (part mushroom-risotto sliced-mushroom)
    (= (least mushroom-risotto sliced-mushroom) 2) (= (most mushroom-risotto sliced-mushroom) 3)
    (part mushroom-risotto cheese)

    (part roast-chicken chicken)
    (= (least roast-chicken chicken) 6) (= (most roast-chicken chicken) 8)
    (part roast-chicken sliced-carrot)
    (= (least roast-chicken sliced-carrot) 2) (= (most roast-chicken sliced-carrot) 4)

    (part baked-potato potato)
    (= (least baked-potato potato) 5) (= (most baked-potato potato) 7)
    (part baked-potato cheese)

    (part pizza dough)
    (= (least pizza dough) 3) (= (most pizza dough) 4)
    (part pizza sliced-tomato) (part pizza cheese)

    (part mushroom-omelette egg)
    (= (least mushroom-omelette egg) 2) (= (most mushroom-omelette egg) 3)
    (part mushroom-omelette sliced-mushroom)
    (= (least mushroom-omelette sliced-mushroom) 2) (= (most mushroom-omelette sliced-mushroom) 3))

  ; ---- What is told: the pages of the cookbook that lie open, and what customs mean ----

  (:derived (on-order ?m - menu) (exists (?d - dish) (and (open ?d) (= (wants ?d) ?m))))
  (:derived (asked-for ?k - doneness) (exists (?d - dish) (and (open ?d) (= (doneness ?d) ?k))))

  (:derived (page-1) (on-order green-salad))
  (:derived (page-2) (on-order tomato-soup))
  (:derived (page-3) (on-order onion-soup))
  (:derived (page-4) (on-order steak-frites))
  (:derived (page-5) (on-order burger))
  (:derived (page-6) (on-order cheeseburger))
  (:derived (page-7) (on-order fish-and-chips))
  (:derived (page-8) (on-order grilled-salmon))
  (:derived (page-9) (on-order tomato-pasta))
  (:derived (page-10) (on-order mushroom-risotto))
  (:derived (page-11) (on-order roast-chicken))
  (:derived (page-12) (on-order baked-potato))
  (:derived (page-13) (on-order pizza))
  (:derived (page-14) (on-order mushroom-omelette))

  (:layout
    (cell pantry 0 0) (cell pass 4 0)
    (draw (?c - cook) ?c (at ?c))
    (draw (?h - holder) (has ?h) ?h)
    (draw (?a - appliance ?x - food) "{(heated ?a)} ticks" ?a :when (= (has ?a) ?x))
    (draw (?d - dish) (wants ?d) ?d)
    (draw (?d - dish ?x - food) ?x ?d :when (on-plate ?d ?x))
    (draw (?d - dish) "served" ?d :when (served ?d))
    (draw (?o - order ?d - dish) "cancelled" ?d :when (and (cancelled ?o) (= (of ?d) ?o)))))
