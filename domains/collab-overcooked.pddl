; The kitchen of Collab-Overcooked (Sun et al., 2025): a chef and an assistant in the two halves of
; a kitchen, which touch only at three shared counters. The assistant reaches the dispensers, the
; chopping board and the blender; the chef reaches the pot, the oven and the serving window. So what
; one of them makes has to be handed over.
;
; An agent chooses macros. A macro is validated when it starts; then it walks, turns and interacts,
; one primitive a tick, and chooses its target anew at every step.
;
; There are two semantics: `upstream` is the published engine with its accidents, `clean` what its
; paper describes. docs/reference/systems/collab-overcooked.md lists the differences.
;
; What agents are told of a state is said by the texts of the predicates and functions. The recipes
; that lead to the order are told only to those who know the recipes: in the benchmark, the chef.
;
; The file goes from the types to the macros, then the map, and last the cookbook. A problem adds
; the order and what is stocked; docs/how-to/recipes.md shows how to add a recipe.

(define (domain collab-overcooked)
  (:requirements :adl :multi-agent :options :delayed-effects :events :sequential-effects
                 :object-fluents :bounded-numbers :aggregates :derived-predicates :text
                 :partial-observability)
  (:semantics clean upstream)
  (:turns simultaneous)
  (:wait :most 20)                     ; the prompt and the paper
  (:wait :most 5 :semantics upstream)  ; what the engine accepts

  (:types
    cell direction slot stage recipe operation holder place - object
    cook - holder
    utensil dispenser window - place
    counter - (either holder place)
    thing - object
    food - thing
    ingredient - food)

  (:constants
    chef assistant - cook
    north south east west - direction
    chef-top chef-middle chef-bottom assistant-top assistant-middle assistant-bottom - cell
    counter-top counter-middle counter-bottom - counter
    chef-counter-top chef-counter-middle assistant-counter - counter
    pot0 oven0 chopping_board0 blender0 - utensil
    cook bake cut stir - operation
    ingredient_dispenser dish_dispenser - dispenser
    serving-window - window
    first second third - slot
    cooking ready - stage
    dish - thing
    apple carrot onion potato tofu bell_pepper sweet_potato egg mushroom pumpkin corn green_bean
    lentil eggplant chickpea zucchini beef peanut chicken spinach coconut broccoli bean cauliflower
    pea romaine_lettuce tomato taro green_pea scraps - ingredient
    boiled_egg boiled_mushroom boiled_sweet_potato boiled_corn_slices boiled_green_bean_slices
    boiled_potato_slices baked_bell_pepper_soup baked_carrot_soup baked_mushroom_soup
    baked_potato_soup baked_pumpkin_soup sliced_bell_pepper_and_corn_stew
    sliced_bell_pepper_and_lentil_stew sliced_eggplant_and_chickpea_stew
    sliced_pumpkin_and_chickpea_stew sliced_zucchini_and_chickpea_stew
    sliced_beef_and_mashed_peanut_stew sliced_carrot_and_mashed_tofu_stew
    sliced_chicken_and_mashed_spinach_stew sliced_eggplant_and_mashed_chickpea_stew
    sliced_sweet_potato_and_mashed_coconut_stew boiled_broccoli_slices boiled_carrot_slices
    boiled_cauliflower_slices boiled_romaine_lettuce_slices boiled_sweet_potato_slices
    boiled_taro_slices boiled_zucchini_slices potato_slices pumpkin_slices corn_slices
    green_bean_slices bell_pepper_slices carrot_slices mushroom_slices eggplant_slices
    zucchini_slices beef_slices chicken_slices sweet_potato_slices broccoli_slices
    cauliflower_slices tomato_slices romaine_lettuce_slices taro_slices onion_slices
    baked_bell_pepper baked_sweet_potato baked_potato_slices baked_pumpkin_slices
    baked_bell_pepper_slices baked_carrot_slices baked_mushroom_slices
    mashed_broccoli_and_bean_patty mashed_carrot_and_chickpea_patty
    mashed_cauliflower_and_lentil_patty mashed_potato_and_pea_patty
    mashed_sweet_potato_and_bean_patty potato_carrot_and_onion_patty
    romaine_lettuce_pea_and_tomato_patty sweet_potato_spinach_and_mushroom_patty
    taro_bean_and_bell_pepper_patty zucchini_green_pea_and_onion_patty mashed_peanut mashed_tofu
    mashed_spinach mashed_chickpea mashed_coconut mashed_broccoli mashed_carrot mashed_cauliflower
    mashed_potato mashed_sweet_potato mashed_potato_and_carrot_mixture mashed_romaine_lettuce
    mashed_taro mashed_zucchini - food
    make-boiled_egg make-boiled_mushroom make-boiled_sweet_potato make-boiled_corn_slices
    make-boiled_green_bean_slices make-boiled_potato_slices make-baked_bell_pepper_soup
    make-baked_carrot_soup make-baked_mushroom_soup make-baked_potato_soup make-baked_pumpkin_soup
    make-sliced_bell_pepper_and_corn_stew make-sliced_bell_pepper_and_lentil_stew
    make-sliced_eggplant_and_chickpea_stew make-sliced_pumpkin_and_chickpea_stew
    make-sliced_zucchini_and_chickpea_stew make-sliced_beef_and_mashed_peanut_stew
    make-sliced_carrot_and_mashed_tofu_stew make-sliced_chicken_and_mashed_spinach_stew
    make-sliced_eggplant_and_mashed_chickpea_stew make-sliced_sweet_potato_and_mashed_coconut_stew
    make-boiled_broccoli_slices make-boiled_carrot_slices make-boiled_cauliflower_slices
    make-boiled_romaine_lettuce_slices make-boiled_sweet_potato_slices make-boiled_taro_slices
    make-boiled_zucchini_slices make-potato_slices make-pumpkin_slices make-corn_slices
    make-green_bean_slices make-bell_pepper_slices make-carrot_slices make-mushroom_slices
    make-eggplant_slices make-zucchini_slices make-beef_slices make-chicken_slices
    make-sweet_potato_slices make-broccoli_slices make-cauliflower_slices make-tomato_slices
    make-romaine_lettuce_slices make-taro_slices make-onion_slices make-baked_bell_pepper
    make-baked_sweet_potato make-baked_potato_slices make-baked_pumpkin_slices
    make-baked_bell_pepper_slices make-baked_carrot_slices make-baked_mushroom_slices
    make-mashed_broccoli_and_bean_patty make-mashed_carrot_and_chickpea_patty
    make-mashed_cauliflower_and_lentil_patty make-mashed_potato_and_pea_patty
    make-mashed_sweet_potato_and_bean_patty make-potato_carrot_and_onion_patty
    make-romaine_lettuce_pea_and_tomato_patty make-sweet_potato_spinach_and_mushroom_patty
    make-taro_bean_and_bell_pepper_patty make-zucchini_green_pea_and_onion_patty make-mashed_peanut
    make-mashed_tofu make-mashed_spinach make-mashed_chickpea make-mashed_coconut
    make-mashed_broccoli make-mashed_carrot make-mashed_cauliflower make-mashed_potato
    make-mashed_sweet_potato make-mashed_potato_and_carrot_mixture make-mashed_romaine_lettuce
    make-mashed_taro make-mashed_zucchini - recipe)

  (:predicates
    ; the pantry
    (dispenses ?d - dispenser ?x - thing)
    (stocked ?x - ingredient)  ; the dispenser offers it, without limit unless rationed
    (rationed ?x - thing)      ; it can be fetched (left ?x) times more, no oftener
    ; the menu
    (needs-dish ?x - food)  ; it is served in a dish
    (on-menu ?x - food)
    (passes-for-meal ?x - food)  ; upstream: its name contains the name of a meal
    (logs-fills ?u - utensil)    ; upstream: a fill here is logged as a fill
    (knows-recipes ?a - cook)
    ; the state
    (plated ?h - holder  ; what ?h holds is in a dish
      :text "what {?h} holds is in a dish")
    (younger ?p ?q - place)         ; upstream: what is in ?p was put there after what is in ?q
    (equally-near ?c ?d - counter)  ; from some cell; only there the age of what they hold matters
    (served)
    ; what is derived to be told
    (needed ?r - recipe)  ; it leads to the order
    (empty-handed ?a - cook :text "{?a} holds nothing")
    (free ?c - counter :text "{?c} is free")
    (offered ?d - dispenser ?x - thing :text "{?d} offers {?x}")
    (empty-inside ?u - utensil :text "{?u} is empty")
    (at-work ?u - utensil ?x - food :text "{?u} is at work and makes {?x}")
    (finished ?u - utensil ?x - food :text "{?x} is ready in {?u}")
    (served-in-dish ?x - food
      :text "{?x} is served in a dish"
      :observable-by (?v - cook) (knows-recipes ?v))
    (served-without-dish ?x - food
      :text "{?x} is served without a dish"
      :observable-by (?v - cook) (knows-recipes ?v)))

  (:functions
    ; the map
    (spot ?a - cook ?p - place  ; where ?a stands to use ?p
      :text "{?a} reaches {?p} from {(spot ?a ?p)}, looking {(side ?a ?p)}") - cell
    (side ?a - cook ?p - place) - direction  ; where ?a looks then
    (via ?from ?to - cell) - cell            ; the next cell on the way
    (toward ?from ?to - cell) - direction    ; and its direction
    (walk ?from ?to - cell) - number         ; the length of the way, in cells
    (shared-rank ?c - counter) - number      ; 10 for a counter of both halves, else 0
    (order-of ?c - counter) - number         ; decides between counters that are equally near
    ; the cookbook
    (operation-of ?u - utensil :text "{?u} is there to {(operation-of ?u)}") - operation
    (prepared-in ?r - recipe) - utensil
    (makes ?r - recipe
      :text "{(makes ?r)} is made in {(prepared-in ?r)}: put in what it takes, then {(operation-of (prepared-in ?r))}, 3 ticks"
      :observable-by (?v - cook) (and (knows-recipes ?v) (needed ?r))) - food
    (uses ?r - recipe ?x - food  ; how many of ?x
      :text "it takes {(uses ?r ?x)} {?x}"
      :observable-by (?v - cook) (and (knows-recipes ?v) (needed ?r))) - number
    (width ?r - recipe) - number  ; how many in all
    ; the order
    (order :text "the order is {(order)}") - food
    ; the state
    (at ?a - cook :text "{?a} stands at {(at ?a)}") - cell
    (facing ?a - cook :text "{?a} looks {(facing ?a)}") - direction
    (holds ?h - holder :text "{?h} holds {(holds ?h)}") - thing
    (inside ?u - utensil ?k - slot  ; what was put in, from the first slot on
      :text "{(inside ?u ?k)} was put into {?u}, which is not started yet") - food
    (making ?u - utensil) - food  ; what becomes, or became, of it
    (stage-of ?u - utensil) - stage
    (left ?x - thing :text "{(left ?x)} more of {?x} can be fetched") - (int 0 9))

  ; What happened in this very step. Both agents choose by what they see when it begins; the chef's
  ; interaction comes first.
  (:transient
    (touched ?c - counter)  ; something was placed on it, or picked up
    (started ?u - utensil)
    (spoiled ?u - utensil)   ; it was started on what makes no recipe
    (held-up ?u - utensil))  ; upstream: its work does not go on

  ; ---- What is told ----

  (:derived (needed ?r - recipe) (= (makes ?r) (order)))
  (:derived (needed ?r - recipe)
    (exists (?next - recipe) (and (needed ?next) (> (uses ?next (makes ?r)) 0))))
  (:derived (empty-handed ?a - cook) (= (holds ?a) undefined))
  (:derived (free ?c - counter) (= (holds ?c) undefined))
  (:derived (offered ?d - dispenser ?x - thing)
    (and (dispenses ?d ?x) (or (stocked ?x) (= ?x dish))))
  (:derived (empty-inside ?u - utensil)
    (and (= (inside ?u first) undefined) (= (stage-of ?u) undefined)))
  (:derived (at-work ?u - utensil ?x - food) (and (= (making ?u) ?x) (= (stage-of ?u) cooking)))
  (:derived (finished ?u - utensil ?x - food) (and (= (making ?u) ?x) (= (stage-of ?u) ready)))
  (:derived (served-in-dish ?x - food) (and (= (order) ?x) (needs-dish ?x)))
  (:derived (served-without-dish ?x - food) (and (= (order) ?x) (not (needs-dish ?x))))

  ; ---- Primitives ----

  ; One step towards a place: a cell of the way, or the turn at its end.
  (:action approach
    :primitive
    :agent ?a - cook
    :parameters (?p - place)
    :effect (case
              ((= (at ?a) (spot ?a ?p)) (assign (facing ?a) (side ?a ?p)))
              (else
                (and (assign (facing ?a) (toward (at ?a) (spot ?a ?p)))
                     (assign (at ?a) (via (at ?a) (spot ?a ?p)))))))

  (:action give-up
    :primitive
    :agent ?a - cook
    :effect (and (assign (holds ?a) undefined) (not (plated ?a))))

  (:action take-from-counter
    :primitive
    :agent ?a - cook
    :parameters (?x - thing ?c - counter)
    :effect (and (assign (holds ?a) ?x)
                 (assign (holds ?c) undefined)
                 (when (plated ?c) (and (plated ?a) (not (plated ?c))))
                 (when (> (shared-rank ?c) 0) (touched ?c))
                 (forall (?d - counter) (and (not (younger ?c ?d)) (not (younger ?d ?c))))
                 (log "pickup({?x}, counter)")))

  ; Puts what the agent holds into the next free slot, if there is one.
  (:action load
    :primitive
    :agent ?a - cook
    :parameters (?u - utensil)
    :effect (case
              ((= (inside ?u first) undefined)
                (and (assign (inside ?u first) (holds ?a))
                     (do (give-up ?a))
                     (when (semantics upstream)
                       (forall (?v - utensil)
                         (when (not (= (inside ?v first) undefined)) (younger ?u ?v))))))
              ((= (inside ?u second) undefined)
                (and (assign (inside ?u second) (holds ?a)) (do (give-up ?a))))
              ((= (inside ?u third) undefined)
                (and (assign (inside ?u third) (holds ?a)) (do (give-up ?a))))))

  (:action empty
    :primitive
    :parameters (?u - utensil)
    :effect (and (assign (making ?u) undefined)
                 (assign (stage-of ?u) undefined)
                 (forall (?k - slot) (assign (inside ?u ?k) undefined))
                 (forall (?v - utensil) (and (not (younger ?u ?v)) (not (younger ?v ?u))))))

  ; Starts the work that makes ?x. Each takes three ticks, the one that ends this step included.
  ; Upstream a start holds up, for this tick, every utensil that is at work on something younger,
  ; unless it was started in the same step. From then on the age of what is in ?u does not matter to
  ; others; and once the work is done, that of others does not matter to ?u.
  (:action begin
    :primitive
    :parameters (?u - utensil ?x - food)
    :effect (and (assign (making ?u) ?x)
                 (assign (stage-of ?u) cooking)
                 (forall (?k - slot) (assign (inside ?u ?k) undefined))
                 (when (semantics upstream)
                   (and (started ?u)
                        (forall (?v - utensil)
                          (when (younger ?v ?u) (and (held-up ?v) (not (younger ?v ?u)))))))
                 (after 3 :while (or (started ?u) (not (held-up ?u)))
                   (and (assign (stage-of ?u) ready)
                        (forall (?v - utensil) (not (younger ?u ?v)))))))

  ; ---- Picking up ----

  (:option fetch
    :agent ?a - cook
    :parameters (?x - thing ?d - dispenser)
    :precondition (and (or (stocked ?x) (= ?x dish))
                       (dispenses ?d ?x)
                       (else "no {?x} is left" (or (not (rationed ?x)) (> (left ?x) 0)))
                       (else "{?a} cannot reach {?d}" (not (= (spot ?a ?d) undefined)))
                       (else "{?a} already holds something" (= (holds ?a) undefined)))
    :policy (case
              ((or (not (= (at ?a) (spot ?a ?d))) (not (= (facing ?a) (side ?a ?d))))
                (do (approach ?a ?d)))
              (else
                (and (assign (holds ?a) ?x)
                     (when (rationed ?x) (decrease (left ?x) 1))
                     (log "pickup({?x}, {?d})"))))
    :until (= (holds ?a) ?x)
    :label none
    :text "pick up {?x} from {?d}")

  ; Of the counters that held ?x when the step began: a private one if there is one, then the
  ; nearest, then upstream the one that has held it longest.
  (:option pickup-from-counter
    :agent ?a - cook
    :parameters (?x - thing)
    :precondition (and (not (= ?x scraps))
                       (else "there is no {?x} on a counter that {?a} can reach"
                         (exists (?c - counter)
                           (and (not (= (spot ?a ?c) undefined)) (= (holds ?c) ?x))))
                       (else "{?a} already holds something" (= (holds ?a) undefined)))
    :let ((?c (argmin (?c - counter)
                (and (not (= (spot ?a ?c) undefined))
                     (or (and (not (touched ?c)) (= (holds ?c) ?x))
                         (and (touched ?c)
                              (= (holds ?c) undefined)
                              (exists (?b - cook) (and (not (= ?b ?a)) (= (holds ?b) ?x))))))
                (+ (walk (at ?a) (spot ?a ?c)) (shared-rank ?c))
                :ties (+ (* 10 (count (?d - counter) (younger ?c ?d))) (order-of ?c)))))
    :policy (case
              ((or (not (= (at ?a) (spot ?a ?c))) (not (= (facing ?a) (side ?a ?c))))
                (do (approach ?a ?c)))
              ((= (holds ?c) ?x) (do (take-from-counter ?a ?x ?c))))
    :until (= (holds ?a) ?x)
    :label none
    :text "pick up {?x} from a counter")

  ; What is finished; or one thing of what was put in, before the work is started.
  (:option pickup-from-utensil
    :agent ?a - cook
    :parameters (?x - food ?u - utensil)
    :precondition (and (else "{?u} is still at work" (not (= (stage-of ?u) cooking)))
                       (else "{?x} is served in a dish: fill one at {?u}"
                         (not (and (needs-dish ?x) (= (making ?u) ?x))))
                       (else "{?a} cannot reach {?u}" (not (= (spot ?a ?u) undefined)))
                       (else "{?a} already holds something" (= (holds ?a) undefined))
                       (else "there is no {?x} in {?u}"
                         (or (= (making ?u) ?x) (exists (?k - slot) (= (inside ?u ?k) ?x)))))
    :policy (case
              ((or (not (= (at ?a) (spot ?a ?u))) (not (= (facing ?a) (side ?a ?u))))
                (do (approach ?a ?u)))
              (else
                (and (assign (holds ?a) ?x)
                     (log "pickup({?x}, {?u})")
                     (case
                       ((or (= (making ?u) ?x) (= (inside ?u second) undefined)) (do (empty ?u)))
                       ((= (inside ?u first) ?x)
                         (and (assign (inside ?u first) (inside ?u second))
                              (assign (inside ?u second) (inside ?u third))
                              (assign (inside ?u third) undefined)))
                       ((= (inside ?u second) ?x)
                         (and (assign (inside ?u second) (inside ?u third))
                              (assign (inside ?u third) undefined)))
                       (else (assign (inside ?u third) undefined))))))
    :until (= (holds ?a) ?x)
    :label none
    :text "pick up {?x} from {?u}")

  ; ---- Putting down ----

  ; Of the counters that were free when the step began: a shared one if there is one, then the
  ; nearest.
  (:option place
    :agent ?a - cook
    :precondition (and (else "{?a} holds nothing" (not (= (holds ?a) undefined)))
                       (else "no counter that {?a} can reach is free"
                         (exists (?c - counter)
                           (and (not (= (spot ?a ?c) undefined)) (= (holds ?c) undefined)))))
    :let ((?c (argmin (?c - counter)
                (and (not (= (spot ?a ?c) undefined))
                     (or (and (not (touched ?c)) (= (holds ?c) undefined))
                         (and (touched ?c) (not (= (holds ?c) undefined)))))
                (- (walk (at ?a) (spot ?a ?c)) (shared-rank ?c))
                :ties (order-of ?c))))
    :policy (case
              ((or (not (= (at ?a) (spot ?a ?c))) (not (= (facing ?a) (side ?a ?c))))
                (do (approach ?a ?c)))
              ((= (holds ?c) undefined)
                (and (assign (holds ?c) (holds ?a))
                     (when (plated ?a) (plated ?c))
                     (when (> (shared-rank ?c) 0) (touched ?c))
                     (when (semantics upstream)
                       (forall (?d - counter)
                         (when (and (equally-near ?c ?d) (= (holds ?d) (holds ?a)))
                           (younger ?c ?d))))
                     (do (give-up ?a))
                     (log "place_obj_on_counter()"))))
    :until (= (holds ?a) undefined)
    :label none
    :text "place what you hold on a counter")

  ; Upstream a full utensil is not refused: the put is logged again at every step, without end.
  (:option put-into-utensil
    :agent ?a - cook
    :parameters (?u - utensil)
    :precondition (and (else "{?u} is still at work" (not (= (stage-of ?u) cooking)))
                       (else "{?u} holds a finished product: take it first"
                         (not (= (stage-of ?u) ready)))
                       (else "{?a} cannot reach {?u}" (not (= (spot ?a ?u) undefined)))
                       (else "{?u} is full"
                         (or (semantics upstream) (= (inside ?u third) undefined)))
                       (else "{?a} holds nothing" (not (= (holds ?a) undefined)))
                       (else "a dish cannot go into {?u}"
                         (not (or (= (holds ?a) dish) (and (semantics clean) (plated ?a))))))
    :policy (case
              ((or (not (= (at ?a) (spot ?a ?u))) (not (= (facing ?a) (side ?a ?u))))
                (do (approach ?a ?u)))
              (else (and (do (load ?a ?u)) (log "put_obj_in_utensil({?u})"))))
    :until (= (holds ?a) undefined)
    :label none
    :text "put what you hold into {?u}")

  ; ---- Cooking ----

  ; The recipe is the one that uses exactly what is inside. Where there is none all of it is lost.
  (:option operate
    :agent ?a - cook
    :parameters (?u - utensil)
    :precondition (and (else "{?a} cannot reach {?u}" (not (= (spot ?a ?u) undefined)))
                       (else "{?u} is busy" (= (stage-of ?u) undefined))
                       (else "{?u} is empty" (not (= (inside ?u first) undefined)))
                       (else "{?a} has its hands full" (= (holds ?a) undefined)))
    :policy (case
              ((or (not (= (at ?a) (spot ?a ?u))) (not (= (facing ?a) (side ?a ?u))))
                (do (approach ?a ?u)))
              (else
                (and (log "{(operation-of ?u)}({?u})")
                     (let ((?r (argmin (?r - recipe)
                                 (and (= (prepared-in ?r) ?u)
                                      (= (count (?k - slot) (not (= (inside ?u ?k) undefined)))
                                         (width ?r))
                                      (forall (?x - food)
                                        (or (= (uses ?r ?x) 0)
                                            (= (count (?k - slot) (= (inside ?u ?k) ?x))
                                               (uses ?r ?x)))))
                                 0)))
                       (do (begin ?u (makes ?r)))
                       :else (spoiled ?u)))))
    ; Upstream any spoiled utensil ends the operations of both agents.
    :until (or (= (stage-of ?u) cooking)
               (spoiled ?u)
               (and (semantics upstream) (exists (?v - utensil) (spoiled ?v))))
    :label none
    :text "{(operation-of ?u)} what is in {?u}")

  ; Upstream, of two that spoil in one step only the one with the younger content is emptied.
  (:event discard
    :parameters (?u - utensil)
    :precondition (and (spoiled ?u)
                       (not (exists (?v - utensil) (and (spoiled ?v) (younger ?v ?u)))))
    :effect (do (empty ?u)))

  ; ---- Serving ----

  ; It may be started while ?u is still at work, and then waits there. Upstream it logs a put at
  ; every step of it, except at the pot; and it ends only with what was ordered: what else was
  ; filled in goes straight back into ?u.
  (:option fill
    :agent ?a - cook
    :parameters (?u - utensil)
    :precondition (and (else "the order needs no dish: take it from {?u} and deliver it"
                         (needs-dish (order)))
                       (else "{?u} is neither at work nor done" (not (= (stage-of ?u) undefined)))
                       (else "{?a} holds no empty dish" (= (holds ?a) dish))
                       (else "{?a} cannot reach {?u}" (not (= (spot ?a ?u) undefined))))
    :policy (case
              ((or (not (= (at ?a) (spot ?a ?u))) (not (= (facing ?a) (side ?a ?u))))
                (do (approach ?a ?u)))
              ((= (holds ?a) dish)
                (and (when (= (stage-of ?u) ready)
                       (and (assign (holds ?a) (making ?u)) (plated ?a) (do (empty ?u))))
                     (case
                       ((and (semantics upstream) (not (logs-fills ?u)))
                         (log "put_obj_in_utensil({?u})"))
                       ((= (stage-of ?u) ready) (log "fill_dish_with_food({?u})")))))
              ((not (= (holds ?a) undefined))
                (and (do (load ?a ?u)) (log "put_obj_in_utensil({?u})"))))
    :until (or (and (semantics clean) (plated ?a)) (= (holds ?a) (order)))
    :label none
    :text "fill the dish at {?u}")

  ; A wrong delivery takes the item and changes nothing else.
  (:option deliver
    :agent ?a - cook
    :precondition (and (else "{?a} holds nothing" (not (= (holds ?a) undefined)))
                       (else "{?a} cannot reach the serving window"
                         (not (= (spot ?a serving-window) undefined)))
                       (else "what {?a} holds is no finished meal"
                         (exists (?x - food)
                           (and (= (holds ?a) ?x)
                                (or (and (semantics clean) (on-menu ?x))
                                    (and (semantics upstream) (passes-for-meal ?x)))))))
    :policy (case
              ((or (not (= (at ?a) (spot ?a serving-window)))
                   (not (= (facing ?a) (side ?a serving-window))))
                (do (approach ?a serving-window)))
              (else
                (and (when (and (= (holds ?a) (order))
                                (or (and (needs-dish (order)) (plated ?a))
                                    (and (not (needs-dish (order))) (not (plated ?a)))))
                       (served))
                     (do (give-up ?a))
                     (log "deliver_soup()"))))
    :until (= (holds ?a) undefined)
    :label none
    :text "deliver what you hold")

  ; ---- Scraps ----

  ; Scraps stand for every food that is not made of what is stocked. Whatever such a food can do,
  ; scraps can: docs/reference/systems/collab-overcooked.md has the argument. They are of many kinds, so an agent may
  ; pick up those of one counter although others are nearer, and change its mind at every step.
  ; brigade: allow W0207 "only a problem that stocks scraps has them"
  (:option pickup-scraps
    :agent ?a - cook
    :parameters (?c - counter)
    :precondition (and (not (= (spot ?a ?c) undefined))
                       (= (holds ?c) scraps)
                       (= (holds ?a) undefined))
    :policy (case
              ((or (not (= (at ?a) (spot ?a ?c))) (not (= (facing ?a) (side ?a ?c))))
                (do (approach ?a ?c)))
              ((= (holds ?c) scraps) (do (take-from-counter ?a scraps ?c))))
    :until (and)
    :label none
    :text "one step of picking up the scraps on {?c}")

  ; brigade: allow W0207 "only a problem that stocks scraps has them"
  (:option operate-on-scraps
    :agent ?a - cook
    :parameters (?u - utensil)
    :precondition (and (not (= (spot ?a ?u) undefined))
                       (= (stage-of ?u) undefined)
                       (exists (?k - slot) (= (inside ?u ?k) scraps))
                       (= (holds ?a) undefined))
    :policy (case
              ((or (not (= (at ?a) (spot ?a ?u))) (not (= (facing ?a) (side ?a ?u))))
                (do (approach ?a ?u)))
              (else (and (log "{(operation-of ?u)}({?u})") (do (begin ?u scraps)))))
    :until (or (= (stage-of ?u) cooking)
               (and (semantics upstream) (exists (?v - utensil) (spoiled ?v))))
    :label none
    :text "{(operation-of ?u)} the scraps in {?u}")

  (:facts
    (dispenses dish_dispenser dish)
    (= (operation-of pot0) cook)
    (= (operation-of oven0) bake)
    (= (operation-of chopping_board0) cut)
    (= (operation-of blender0) stir)
    (logs-fills pot0)
    (knows-recipes chef)

    ; The two halves, each a column of three cells.
    (= (at chef) chef-top) (= (facing chef) north)
    (= (at assistant) assistant-middle) (= (facing assistant) north)
    (= (spot chef pot0) chef-top) (= (side chef pot0) north)
    (= (spot chef oven0) chef-bottom) (= (side chef oven0) east)
    (= (spot chef serving-window) chef-bottom) (= (side chef serving-window) south)
    (= (spot chef counter-top) chef-top) (= (side chef counter-top) west)
    (= (spot chef counter-middle) chef-middle) (= (side chef counter-middle) west)
    (= (spot chef counter-bottom) chef-bottom) (= (side chef counter-bottom) west)
    (= (spot chef chef-counter-top) chef-top) (= (side chef chef-counter-top) east)
    (= (spot chef chef-counter-middle) chef-middle) (= (side chef chef-counter-middle) east)
    (= (spot assistant ingredient_dispenser) assistant-top)
    (= (side assistant ingredient_dispenser) west)
    (= (spot assistant chopping_board0) assistant-middle) (= (side assistant chopping_board0) west)
    (= (spot assistant dish_dispenser) assistant-bottom) (= (side assistant dish_dispenser) west)
    (= (spot assistant blender0) assistant-bottom) (= (side assistant blender0) south)
    (= (spot assistant counter-top) assistant-top) (= (side assistant counter-top) east)
    (= (spot assistant counter-middle) assistant-middle) (= (side assistant counter-middle) east)
    (= (spot assistant counter-bottom) assistant-bottom) (= (side assistant counter-bottom) east)
    (= (spot assistant assistant-counter) assistant-top)
    (= (side assistant assistant-counter) north)
    (= (walk chef-top chef-top) 0)
    (= (walk chef-top chef-middle) 1) (= (toward chef-top chef-middle) south)
    (= (via chef-top chef-middle) chef-middle)
    (= (walk chef-top chef-bottom) 2) (= (toward chef-top chef-bottom) south)
    (= (via chef-top chef-bottom) chef-middle)
    (= (walk chef-middle chef-top) 1) (= (toward chef-middle chef-top) north)
    (= (via chef-middle chef-top) chef-top)
    (= (walk chef-middle chef-middle) 0)
    (= (walk chef-middle chef-bottom) 1) (= (toward chef-middle chef-bottom) south)
    (= (via chef-middle chef-bottom) chef-bottom)
    (= (walk chef-bottom chef-top) 2) (= (toward chef-bottom chef-top) north)
    (= (via chef-bottom chef-top) chef-middle)
    (= (walk chef-bottom chef-middle) 1) (= (toward chef-bottom chef-middle) north)
    (= (via chef-bottom chef-middle) chef-middle)
    (= (walk chef-bottom chef-bottom) 0)
    (= (walk assistant-top assistant-top) 0)
    (= (walk assistant-top assistant-middle) 1) (= (toward assistant-top assistant-middle) south)
    (= (via assistant-top assistant-middle) assistant-middle)
    (= (walk assistant-top assistant-bottom) 2) (= (toward assistant-top assistant-bottom) south)
    (= (via assistant-top assistant-bottom) assistant-middle)
    (= (walk assistant-middle assistant-top) 1) (= (toward assistant-middle assistant-top) north)
    (= (via assistant-middle assistant-top) assistant-top)
    (= (walk assistant-middle assistant-middle) 0)
    (= (walk assistant-middle assistant-bottom) 1)
    (= (toward assistant-middle assistant-bottom) south)
    (= (via assistant-middle assistant-bottom) assistant-bottom)
    (= (walk assistant-bottom assistant-top) 2) (= (toward assistant-bottom assistant-top) north)
    (= (via assistant-bottom assistant-top) assistant-middle)
    (= (walk assistant-bottom assistant-middle) 1)
    (= (toward assistant-bottom assistant-middle) north)
    (= (via assistant-bottom assistant-middle) assistant-middle)
    (= (walk assistant-bottom assistant-bottom) 0)
    (= (shared-rank counter-top) 10) (= (order-of counter-top) 1)
    (= (shared-rank counter-middle) 10) (= (order-of counter-middle) 2)
    (= (shared-rank counter-bottom) 10) (= (order-of counter-bottom) 3)
    (= (shared-rank chef-counter-top) 0) (= (order-of chef-counter-top) 4)
    (= (shared-rank chef-counter-middle) 0) (= (order-of chef-counter-middle) 5)
    (= (shared-rank assistant-counter) 0) (= (order-of assistant-counter) 6)
    (equally-near counter-top counter-bottom) (equally-near counter-bottom counter-top)

    ; What the dispenser can offer.
    (dispenses ingredient_dispenser apple) (dispenses ingredient_dispenser carrot)
    (dispenses ingredient_dispenser onion) (dispenses ingredient_dispenser potato)
    (dispenses ingredient_dispenser tofu) (dispenses ingredient_dispenser bell_pepper)
    (dispenses ingredient_dispenser sweet_potato) (dispenses ingredient_dispenser egg)
    (dispenses ingredient_dispenser mushroom) (dispenses ingredient_dispenser pumpkin)
    (dispenses ingredient_dispenser corn) (dispenses ingredient_dispenser green_bean)
    (dispenses ingredient_dispenser lentil) (dispenses ingredient_dispenser eggplant)
    (dispenses ingredient_dispenser chickpea) (dispenses ingredient_dispenser zucchini)
    (dispenses ingredient_dispenser beef) (dispenses ingredient_dispenser peanut)
    (dispenses ingredient_dispenser chicken) (dispenses ingredient_dispenser spinach)
    (dispenses ingredient_dispenser coconut) (dispenses ingredient_dispenser broccoli)
    (dispenses ingredient_dispenser bean) (dispenses ingredient_dispenser cauliflower)
    (dispenses ingredient_dispenser pea) (dispenses ingredient_dispenser romaine_lettuce)
    (dispenses ingredient_dispenser tomato) (dispenses ingredient_dispenser taro)
    (dispenses ingredient_dispenser green_pea) (dispenses ingredient_dispenser scraps)
    (passes-for-meal scraps) (on-menu scraps)

    ; Meals.
    (on-menu apple) (on-menu carrot) (on-menu onion) (on-menu potato) (on-menu tofu)
    (on-menu baked_bell_pepper) (on-menu baked_sweet_potato) (on-menu boiled_egg)
    (on-menu boiled_mushroom) (on-menu boiled_sweet_potato) (on-menu baked_potato_slices)
    (on-menu baked_pumpkin_slices) (on-menu boiled_corn_slices)
    (on-menu boiled_green_bean_slices) (on-menu boiled_potato_slices)
    (on-menu baked_bell_pepper_soup) (on-menu baked_carrot_soup) (on-menu baked_mushroom_soup)
    (on-menu baked_potato_soup) (on-menu baked_pumpkin_soup)
    (on-menu sliced_bell_pepper_and_corn_stew) (on-menu sliced_bell_pepper_and_lentil_stew)
    (on-menu sliced_eggplant_and_chickpea_stew) (on-menu sliced_pumpkin_and_chickpea_stew)
    (on-menu sliced_zucchini_and_chickpea_stew) (on-menu sliced_beef_and_mashed_peanut_stew)
    (on-menu sliced_carrot_and_mashed_tofu_stew)
    (on-menu sliced_chicken_and_mashed_spinach_stew)
    (on-menu sliced_eggplant_and_mashed_chickpea_stew)
    (on-menu sliced_sweet_potato_and_mashed_coconut_stew)
    (on-menu mashed_broccoli_and_bean_patty) (on-menu mashed_carrot_and_chickpea_patty)
    (on-menu mashed_cauliflower_and_lentil_patty) (on-menu mashed_potato_and_pea_patty)
    (on-menu mashed_sweet_potato_and_bean_patty) (on-menu potato_carrot_and_onion_patty)
    (on-menu romaine_lettuce_pea_and_tomato_patty)
    (on-menu sweet_potato_spinach_and_mushroom_patty) (on-menu taro_bean_and_bell_pepper_patty)
    (on-menu zucchini_green_pea_and_onion_patty)
    (needs-dish baked_bell_pepper_soup) (needs-dish baked_carrot_soup)
    (needs-dish baked_mushroom_soup) (needs-dish baked_potato_soup)
    (needs-dish baked_pumpkin_soup) (needs-dish sliced_bell_pepper_and_corn_stew)
    (needs-dish sliced_bell_pepper_and_lentil_stew)
    (needs-dish sliced_eggplant_and_chickpea_stew)
    (needs-dish sliced_pumpkin_and_chickpea_stew)
    (needs-dish sliced_zucchini_and_chickpea_stew)
    (needs-dish sliced_beef_and_mashed_peanut_stew)
    (needs-dish sliced_carrot_and_mashed_tofu_stew)
    (needs-dish sliced_chicken_and_mashed_spinach_stew)
    (needs-dish sliced_eggplant_and_mashed_chickpea_stew)
    (needs-dish sliced_sweet_potato_and_mashed_coconut_stew)
    (needs-dish mashed_broccoli_and_bean_patty) (needs-dish mashed_carrot_and_chickpea_patty)
    (needs-dish mashed_cauliflower_and_lentil_patty) (needs-dish mashed_potato_and_pea_patty)
    (needs-dish mashed_sweet_potato_and_bean_patty) (needs-dish potato_carrot_and_onion_patty)
    (needs-dish romaine_lettuce_pea_and_tomato_patty)
    (needs-dish sweet_potato_spinach_and_mushroom_patty)
    (needs-dish taro_bean_and_bell_pepper_patty)
    (needs-dish zucchini_green_pea_and_onion_patty)
    ; Upstream: a name passes that contains the name of a meal.
    (passes-for-meal apple) (passes-for-meal carrot) (passes-for-meal onion)
    (passes-for-meal potato) (passes-for-meal tofu) (passes-for-meal sweet_potato)
    (passes-for-meal boiled_egg) (passes-for-meal boiled_mushroom)
    (passes-for-meal boiled_sweet_potato) (passes-for-meal boiled_corn_slices)
    (passes-for-meal boiled_green_bean_slices) (passes-for-meal boiled_potato_slices)
    (passes-for-meal baked_bell_pepper_soup) (passes-for-meal baked_carrot_soup)
    (passes-for-meal baked_mushroom_soup) (passes-for-meal baked_potato_soup)
    (passes-for-meal baked_pumpkin_soup) (passes-for-meal sliced_bell_pepper_and_corn_stew)
    (passes-for-meal sliced_bell_pepper_and_lentil_stew)
    (passes-for-meal sliced_eggplant_and_chickpea_stew)
    (passes-for-meal sliced_pumpkin_and_chickpea_stew)
    (passes-for-meal sliced_zucchini_and_chickpea_stew)
    (passes-for-meal sliced_beef_and_mashed_peanut_stew)
    (passes-for-meal sliced_carrot_and_mashed_tofu_stew)
    (passes-for-meal sliced_chicken_and_mashed_spinach_stew)
    (passes-for-meal sliced_eggplant_and_mashed_chickpea_stew)
    (passes-for-meal sliced_sweet_potato_and_mashed_coconut_stew)
    (passes-for-meal boiled_carrot_slices) (passes-for-meal boiled_sweet_potato_slices)
    (passes-for-meal potato_slices) (passes-for-meal carrot_slices)
    (passes-for-meal sweet_potato_slices) (passes-for-meal onion_slices)
    (passes-for-meal baked_bell_pepper) (passes-for-meal baked_sweet_potato)
    (passes-for-meal baked_potato_slices) (passes-for-meal baked_pumpkin_slices)
    (passes-for-meal baked_bell_pepper_slices) (passes-for-meal baked_carrot_slices)
    (passes-for-meal mashed_broccoli_and_bean_patty)
    (passes-for-meal mashed_carrot_and_chickpea_patty)
    (passes-for-meal mashed_cauliflower_and_lentil_patty)
    (passes-for-meal mashed_potato_and_pea_patty)
    (passes-for-meal mashed_sweet_potato_and_bean_patty)
    (passes-for-meal potato_carrot_and_onion_patty)
    (passes-for-meal romaine_lettuce_pea_and_tomato_patty)
    (passes-for-meal sweet_potato_spinach_and_mushroom_patty)
    (passes-for-meal taro_bean_and_bell_pepper_patty)
    (passes-for-meal zucchini_green_pea_and_onion_patty) (passes-for-meal mashed_tofu)
    (passes-for-meal mashed_carrot) (passes-for-meal mashed_potato)
    (passes-for-meal mashed_sweet_potato) (passes-for-meal mashed_potato_and_carrot_mixture)

    ; The cookbook.
    (= (prepared-in make-boiled_egg) pot0) (= (makes make-boiled_egg) boiled_egg)
    (= (width make-boiled_egg) 1)
    (= (uses make-boiled_egg egg) 1)
    (= (prepared-in make-boiled_mushroom) pot0) (= (makes make-boiled_mushroom) boiled_mushroom)
    (= (width make-boiled_mushroom) 1)
    (= (uses make-boiled_mushroom mushroom) 1)
    (= (prepared-in make-boiled_sweet_potato) pot0)
    (= (makes make-boiled_sweet_potato) boiled_sweet_potato) (= (width make-boiled_sweet_potato) 1)
    (= (uses make-boiled_sweet_potato sweet_potato) 1)
    (= (prepared-in make-boiled_corn_slices) pot0)
    (= (makes make-boiled_corn_slices) boiled_corn_slices) (= (width make-boiled_corn_slices) 1)
    (= (uses make-boiled_corn_slices corn_slices) 1)
    (= (prepared-in make-boiled_green_bean_slices) pot0)
    (= (makes make-boiled_green_bean_slices) boiled_green_bean_slices)
    (= (width make-boiled_green_bean_slices) 1)
    (= (uses make-boiled_green_bean_slices green_bean_slices) 1)
    (= (prepared-in make-boiled_potato_slices) pot0)
    (= (makes make-boiled_potato_slices) boiled_potato_slices)
    (= (width make-boiled_potato_slices) 1)
    (= (uses make-boiled_potato_slices potato_slices) 1)
    (= (prepared-in make-baked_bell_pepper_soup) pot0)
    (= (makes make-baked_bell_pepper_soup) baked_bell_pepper_soup)
    (= (width make-baked_bell_pepper_soup) 1)
    (= (uses make-baked_bell_pepper_soup baked_bell_pepper_slices) 1)
    (= (prepared-in make-baked_carrot_soup) pot0)
    (= (makes make-baked_carrot_soup) baked_carrot_soup) (= (width make-baked_carrot_soup) 1)
    (= (uses make-baked_carrot_soup baked_carrot_slices) 1)
    (= (prepared-in make-baked_mushroom_soup) pot0)
    (= (makes make-baked_mushroom_soup) baked_mushroom_soup) (= (width make-baked_mushroom_soup) 1)
    (= (uses make-baked_mushroom_soup baked_mushroom_slices) 1)
    (= (prepared-in make-baked_potato_soup) pot0)
    (= (makes make-baked_potato_soup) baked_potato_soup) (= (width make-baked_potato_soup) 1)
    (= (uses make-baked_potato_soup baked_potato_slices) 1)
    (= (prepared-in make-baked_pumpkin_soup) pot0)
    (= (makes make-baked_pumpkin_soup) baked_pumpkin_soup) (= (width make-baked_pumpkin_soup) 1)
    (= (uses make-baked_pumpkin_soup baked_pumpkin_slices) 1)
    (= (prepared-in make-sliced_bell_pepper_and_corn_stew) pot0)
    (= (makes make-sliced_bell_pepper_and_corn_stew) sliced_bell_pepper_and_corn_stew)
    (= (width make-sliced_bell_pepper_and_corn_stew) 2)
    (= (uses make-sliced_bell_pepper_and_corn_stew bell_pepper_slices) 1)
    (= (uses make-sliced_bell_pepper_and_corn_stew corn) 1)
    (= (prepared-in make-sliced_bell_pepper_and_lentil_stew) pot0)
    (= (makes make-sliced_bell_pepper_and_lentil_stew) sliced_bell_pepper_and_lentil_stew)
    (= (width make-sliced_bell_pepper_and_lentil_stew) 2)
    (= (uses make-sliced_bell_pepper_and_lentil_stew bell_pepper_slices) 1)
    (= (uses make-sliced_bell_pepper_and_lentil_stew lentil) 1)
    (= (prepared-in make-sliced_eggplant_and_chickpea_stew) pot0)
    (= (makes make-sliced_eggplant_and_chickpea_stew) sliced_eggplant_and_chickpea_stew)
    (= (width make-sliced_eggplant_and_chickpea_stew) 2)
    (= (uses make-sliced_eggplant_and_chickpea_stew eggplant_slices) 1)
    (= (uses make-sliced_eggplant_and_chickpea_stew chickpea) 1)
    (= (prepared-in make-sliced_pumpkin_and_chickpea_stew) pot0)
    (= (makes make-sliced_pumpkin_and_chickpea_stew) sliced_pumpkin_and_chickpea_stew)
    (= (width make-sliced_pumpkin_and_chickpea_stew) 2)
    (= (uses make-sliced_pumpkin_and_chickpea_stew pumpkin_slices) 1)
    (= (uses make-sliced_pumpkin_and_chickpea_stew chickpea) 1)
    (= (prepared-in make-sliced_zucchini_and_chickpea_stew) pot0)
    (= (makes make-sliced_zucchini_and_chickpea_stew) sliced_zucchini_and_chickpea_stew)
    (= (width make-sliced_zucchini_and_chickpea_stew) 2)
    (= (uses make-sliced_zucchini_and_chickpea_stew zucchini_slices) 1)
    (= (uses make-sliced_zucchini_and_chickpea_stew chickpea) 1)
    (= (prepared-in make-sliced_beef_and_mashed_peanut_stew) pot0)
    (= (makes make-sliced_beef_and_mashed_peanut_stew) sliced_beef_and_mashed_peanut_stew)
    (= (width make-sliced_beef_and_mashed_peanut_stew) 2)
    (= (uses make-sliced_beef_and_mashed_peanut_stew beef_slices) 1)
    (= (uses make-sliced_beef_and_mashed_peanut_stew mashed_peanut) 1)
    (= (prepared-in make-sliced_carrot_and_mashed_tofu_stew) pot0)
    (= (makes make-sliced_carrot_and_mashed_tofu_stew) sliced_carrot_and_mashed_tofu_stew)
    (= (width make-sliced_carrot_and_mashed_tofu_stew) 2)
    (= (uses make-sliced_carrot_and_mashed_tofu_stew carrot_slices) 1)
    (= (uses make-sliced_carrot_and_mashed_tofu_stew mashed_tofu) 1)
    (= (prepared-in make-sliced_chicken_and_mashed_spinach_stew) pot0)
    (= (makes make-sliced_chicken_and_mashed_spinach_stew) sliced_chicken_and_mashed_spinach_stew)
    (= (width make-sliced_chicken_and_mashed_spinach_stew) 2)
    (= (uses make-sliced_chicken_and_mashed_spinach_stew chicken_slices) 1)
    (= (uses make-sliced_chicken_and_mashed_spinach_stew mashed_spinach) 1)
    (= (prepared-in make-sliced_eggplant_and_mashed_chickpea_stew) pot0)
    (= (makes make-sliced_eggplant_and_mashed_chickpea_stew)
       sliced_eggplant_and_mashed_chickpea_stew)
    (= (width make-sliced_eggplant_and_mashed_chickpea_stew) 2)
    (= (uses make-sliced_eggplant_and_mashed_chickpea_stew eggplant_slices) 1)
    (= (uses make-sliced_eggplant_and_mashed_chickpea_stew mashed_chickpea) 1)
    (= (prepared-in make-sliced_sweet_potato_and_mashed_coconut_stew) pot0)
    (= (makes make-sliced_sweet_potato_and_mashed_coconut_stew)
       sliced_sweet_potato_and_mashed_coconut_stew)
    (= (width make-sliced_sweet_potato_and_mashed_coconut_stew) 2)
    (= (uses make-sliced_sweet_potato_and_mashed_coconut_stew sweet_potato_slices) 1)
    (= (uses make-sliced_sweet_potato_and_mashed_coconut_stew mashed_coconut) 1)
    (= (prepared-in make-boiled_broccoli_slices) pot0)
    (= (makes make-boiled_broccoli_slices) boiled_broccoli_slices)
    (= (width make-boiled_broccoli_slices) 1)
    (= (uses make-boiled_broccoli_slices broccoli_slices) 1)
    (= (prepared-in make-boiled_carrot_slices) pot0)
    (= (makes make-boiled_carrot_slices) boiled_carrot_slices)
    (= (width make-boiled_carrot_slices) 1)
    (= (uses make-boiled_carrot_slices carrot_slices) 1)
    (= (prepared-in make-boiled_cauliflower_slices) pot0)
    (= (makes make-boiled_cauliflower_slices) boiled_cauliflower_slices)
    (= (width make-boiled_cauliflower_slices) 1)
    (= (uses make-boiled_cauliflower_slices cauliflower_slices) 1)
    (= (prepared-in make-boiled_romaine_lettuce_slices) pot0)
    (= (makes make-boiled_romaine_lettuce_slices) boiled_romaine_lettuce_slices)
    (= (width make-boiled_romaine_lettuce_slices) 1)
    (= (uses make-boiled_romaine_lettuce_slices romaine_lettuce_slices) 1)
    (= (prepared-in make-boiled_sweet_potato_slices) pot0)
    (= (makes make-boiled_sweet_potato_slices) boiled_sweet_potato_slices)
    (= (width make-boiled_sweet_potato_slices) 1)
    (= (uses make-boiled_sweet_potato_slices sweet_potato_slices) 1)
    (= (prepared-in make-boiled_taro_slices) pot0)
    (= (makes make-boiled_taro_slices) boiled_taro_slices) (= (width make-boiled_taro_slices) 1)
    (= (uses make-boiled_taro_slices taro_slices) 1)
    (= (prepared-in make-boiled_zucchini_slices) pot0)
    (= (makes make-boiled_zucchini_slices) boiled_zucchini_slices)
    (= (width make-boiled_zucchini_slices) 1)
    (= (uses make-boiled_zucchini_slices zucchini_slices) 1)
    (= (prepared-in make-potato_slices) chopping_board0)
    (= (makes make-potato_slices) potato_slices) (= (width make-potato_slices) 1)
    (= (uses make-potato_slices potato) 1)
    (= (prepared-in make-pumpkin_slices) chopping_board0)
    (= (makes make-pumpkin_slices) pumpkin_slices) (= (width make-pumpkin_slices) 1)
    (= (uses make-pumpkin_slices pumpkin) 1)
    (= (prepared-in make-corn_slices) chopping_board0) (= (makes make-corn_slices) corn_slices)
    (= (width make-corn_slices) 1)
    (= (uses make-corn_slices corn) 1)
    (= (prepared-in make-green_bean_slices) chopping_board0)
    (= (makes make-green_bean_slices) green_bean_slices) (= (width make-green_bean_slices) 1)
    (= (uses make-green_bean_slices green_bean) 1)
    (= (prepared-in make-bell_pepper_slices) chopping_board0)
    (= (makes make-bell_pepper_slices) bell_pepper_slices) (= (width make-bell_pepper_slices) 1)
    (= (uses make-bell_pepper_slices bell_pepper) 1)
    (= (prepared-in make-carrot_slices) chopping_board0)
    (= (makes make-carrot_slices) carrot_slices) (= (width make-carrot_slices) 1)
    (= (uses make-carrot_slices carrot) 1)
    (= (prepared-in make-mushroom_slices) chopping_board0)
    (= (makes make-mushroom_slices) mushroom_slices) (= (width make-mushroom_slices) 1)
    (= (uses make-mushroom_slices mushroom) 1)
    (= (prepared-in make-eggplant_slices) chopping_board0)
    (= (makes make-eggplant_slices) eggplant_slices) (= (width make-eggplant_slices) 1)
    (= (uses make-eggplant_slices eggplant) 1)
    (= (prepared-in make-zucchini_slices) chopping_board0)
    (= (makes make-zucchini_slices) zucchini_slices) (= (width make-zucchini_slices) 1)
    (= (uses make-zucchini_slices zucchini) 1)
    (= (prepared-in make-beef_slices) chopping_board0) (= (makes make-beef_slices) beef_slices)
    (= (width make-beef_slices) 1)
    (= (uses make-beef_slices beef) 1)
    (= (prepared-in make-chicken_slices) chopping_board0)
    (= (makes make-chicken_slices) chicken_slices) (= (width make-chicken_slices) 1)
    (= (uses make-chicken_slices chicken) 1)
    (= (prepared-in make-sweet_potato_slices) chopping_board0)
    (= (makes make-sweet_potato_slices) sweet_potato_slices) (= (width make-sweet_potato_slices) 1)
    (= (uses make-sweet_potato_slices sweet_potato) 1)
    (= (prepared-in make-broccoli_slices) chopping_board0)
    (= (makes make-broccoli_slices) broccoli_slices) (= (width make-broccoli_slices) 1)
    (= (uses make-broccoli_slices broccoli) 1)
    (= (prepared-in make-cauliflower_slices) chopping_board0)
    (= (makes make-cauliflower_slices) cauliflower_slices) (= (width make-cauliflower_slices) 1)
    (= (uses make-cauliflower_slices cauliflower) 1)
    (= (prepared-in make-tomato_slices) chopping_board0)
    (= (makes make-tomato_slices) tomato_slices) (= (width make-tomato_slices) 1)
    (= (uses make-tomato_slices tomato) 1)
    (= (prepared-in make-romaine_lettuce_slices) chopping_board0)
    (= (makes make-romaine_lettuce_slices) romaine_lettuce_slices)
    (= (width make-romaine_lettuce_slices) 1)
    (= (uses make-romaine_lettuce_slices romaine_lettuce) 1)
    (= (prepared-in make-taro_slices) chopping_board0) (= (makes make-taro_slices) taro_slices)
    (= (width make-taro_slices) 1)
    (= (uses make-taro_slices taro) 1)
    (= (prepared-in make-onion_slices) chopping_board0) (= (makes make-onion_slices) onion_slices)
    (= (width make-onion_slices) 1)
    (= (uses make-onion_slices onion) 1)
    (= (prepared-in make-baked_bell_pepper) oven0)
    (= (makes make-baked_bell_pepper) baked_bell_pepper) (= (width make-baked_bell_pepper) 1)
    (= (uses make-baked_bell_pepper bell_pepper) 1)
    (= (prepared-in make-baked_sweet_potato) oven0)
    (= (makes make-baked_sweet_potato) baked_sweet_potato) (= (width make-baked_sweet_potato) 1)
    (= (uses make-baked_sweet_potato sweet_potato) 1)
    (= (prepared-in make-baked_potato_slices) oven0)
    (= (makes make-baked_potato_slices) baked_potato_slices) (= (width make-baked_potato_slices) 1)
    (= (uses make-baked_potato_slices potato_slices) 1)
    (= (prepared-in make-baked_pumpkin_slices) oven0)
    (= (makes make-baked_pumpkin_slices) baked_pumpkin_slices)
    (= (width make-baked_pumpkin_slices) 1)
    (= (uses make-baked_pumpkin_slices pumpkin_slices) 1)
    (= (prepared-in make-baked_bell_pepper_slices) oven0)
    (= (makes make-baked_bell_pepper_slices) baked_bell_pepper_slices)
    (= (width make-baked_bell_pepper_slices) 1)
    (= (uses make-baked_bell_pepper_slices bell_pepper_slices) 1)
    (= (prepared-in make-baked_carrot_slices) oven0)
    (= (makes make-baked_carrot_slices) baked_carrot_slices) (= (width make-baked_carrot_slices) 1)
    (= (uses make-baked_carrot_slices carrot_slices) 1)
    (= (prepared-in make-baked_mushroom_slices) oven0)
    (= (makes make-baked_mushroom_slices) baked_mushroom_slices)
    (= (width make-baked_mushroom_slices) 1)
    (= (uses make-baked_mushroom_slices mushroom_slices) 1)
    (= (prepared-in make-mashed_broccoli_and_bean_patty) oven0)
    (= (makes make-mashed_broccoli_and_bean_patty) mashed_broccoli_and_bean_patty)
    (= (width make-mashed_broccoli_and_bean_patty) 2)
    (= (uses make-mashed_broccoli_and_bean_patty mashed_broccoli) 1)
    (= (uses make-mashed_broccoli_and_bean_patty bean) 1)
    (= (prepared-in make-mashed_carrot_and_chickpea_patty) oven0)
    (= (makes make-mashed_carrot_and_chickpea_patty) mashed_carrot_and_chickpea_patty)
    (= (width make-mashed_carrot_and_chickpea_patty) 2)
    (= (uses make-mashed_carrot_and_chickpea_patty mashed_carrot) 1)
    (= (uses make-mashed_carrot_and_chickpea_patty chickpea) 1)
    (= (prepared-in make-mashed_cauliflower_and_lentil_patty) oven0)
    (= (makes make-mashed_cauliflower_and_lentil_patty) mashed_cauliflower_and_lentil_patty)
    (= (width make-mashed_cauliflower_and_lentil_patty) 2)
    (= (uses make-mashed_cauliflower_and_lentil_patty mashed_cauliflower) 1)
    (= (uses make-mashed_cauliflower_and_lentil_patty lentil) 1)
    (= (prepared-in make-mashed_potato_and_pea_patty) oven0)
    (= (makes make-mashed_potato_and_pea_patty) mashed_potato_and_pea_patty)
    (= (width make-mashed_potato_and_pea_patty) 2)
    (= (uses make-mashed_potato_and_pea_patty mashed_potato) 1)
    (= (uses make-mashed_potato_and_pea_patty pea) 1)
    (= (prepared-in make-mashed_sweet_potato_and_bean_patty) oven0)
    (= (makes make-mashed_sweet_potato_and_bean_patty) mashed_sweet_potato_and_bean_patty)
    (= (width make-mashed_sweet_potato_and_bean_patty) 2)
    (= (uses make-mashed_sweet_potato_and_bean_patty mashed_sweet_potato) 1)
    (= (uses make-mashed_sweet_potato_and_bean_patty bean) 1)
    (= (prepared-in make-potato_carrot_and_onion_patty) oven0)
    (= (makes make-potato_carrot_and_onion_patty) potato_carrot_and_onion_patty)
    (= (width make-potato_carrot_and_onion_patty) 3)
    (= (uses make-potato_carrot_and_onion_patty mashed_potato) 1)
    (= (uses make-potato_carrot_and_onion_patty onion_slices) 1)
    (= (uses make-potato_carrot_and_onion_patty carrot) 1)
    (= (prepared-in make-romaine_lettuce_pea_and_tomato_patty) oven0)
    (= (makes make-romaine_lettuce_pea_and_tomato_patty) romaine_lettuce_pea_and_tomato_patty)
    (= (width make-romaine_lettuce_pea_and_tomato_patty) 3)
    (= (uses make-romaine_lettuce_pea_and_tomato_patty mashed_romaine_lettuce) 1)
    (= (uses make-romaine_lettuce_pea_and_tomato_patty pea) 1)
    (= (uses make-romaine_lettuce_pea_and_tomato_patty tomato_slices) 1)
    (= (prepared-in make-sweet_potato_spinach_and_mushroom_patty) oven0)
    (= (makes make-sweet_potato_spinach_and_mushroom_patty) sweet_potato_spinach_and_mushroom_patty)
    (= (width make-sweet_potato_spinach_and_mushroom_patty) 3)
    (= (uses make-sweet_potato_spinach_and_mushroom_patty mashed_sweet_potato) 1)
    (= (uses make-sweet_potato_spinach_and_mushroom_patty spinach) 1)
    (= (uses make-sweet_potato_spinach_and_mushroom_patty mushroom_slices) 1)
    (= (prepared-in make-taro_bean_and_bell_pepper_patty) oven0)
    (= (makes make-taro_bean_and_bell_pepper_patty) taro_bean_and_bell_pepper_patty)
    (= (width make-taro_bean_and_bell_pepper_patty) 3)
    (= (uses make-taro_bean_and_bell_pepper_patty mashed_taro) 1)
    (= (uses make-taro_bean_and_bell_pepper_patty bean) 1)
    (= (uses make-taro_bean_and_bell_pepper_patty bell_pepper_slices) 1)
    (= (prepared-in make-zucchini_green_pea_and_onion_patty) oven0)
    (= (makes make-zucchini_green_pea_and_onion_patty) zucchini_green_pea_and_onion_patty)
    (= (width make-zucchini_green_pea_and_onion_patty) 3)
    (= (uses make-zucchini_green_pea_and_onion_patty mashed_zucchini) 1)
    (= (uses make-zucchini_green_pea_and_onion_patty green_pea) 1)
    (= (uses make-zucchini_green_pea_and_onion_patty onion_slices) 1)
    (= (prepared-in make-mashed_peanut) blender0) (= (makes make-mashed_peanut) mashed_peanut)
    (= (width make-mashed_peanut) 1)
    (= (uses make-mashed_peanut peanut) 1)
    (= (prepared-in make-mashed_tofu) blender0) (= (makes make-mashed_tofu) mashed_tofu)
    (= (width make-mashed_tofu) 1)
    (= (uses make-mashed_tofu tofu) 1)
    (= (prepared-in make-mashed_spinach) blender0) (= (makes make-mashed_spinach) mashed_spinach)
    (= (width make-mashed_spinach) 1)
    (= (uses make-mashed_spinach spinach) 1)
    (= (prepared-in make-mashed_chickpea) blender0) (= (makes make-mashed_chickpea) mashed_chickpea)
    (= (width make-mashed_chickpea) 1)
    (= (uses make-mashed_chickpea chickpea) 1)
    (= (prepared-in make-mashed_coconut) blender0) (= (makes make-mashed_coconut) mashed_coconut)
    (= (width make-mashed_coconut) 1)
    (= (uses make-mashed_coconut coconut) 1)
    (= (prepared-in make-mashed_broccoli) blender0) (= (makes make-mashed_broccoli) mashed_broccoli)
    (= (width make-mashed_broccoli) 1)
    (= (uses make-mashed_broccoli boiled_broccoli_slices) 1)
    (= (prepared-in make-mashed_carrot) blender0) (= (makes make-mashed_carrot) mashed_carrot)
    (= (width make-mashed_carrot) 1)
    (= (uses make-mashed_carrot boiled_carrot_slices) 1)
    (= (prepared-in make-mashed_cauliflower) blender0)
    (= (makes make-mashed_cauliflower) mashed_cauliflower) (= (width make-mashed_cauliflower) 1)
    (= (uses make-mashed_cauliflower boiled_cauliflower_slices) 1)
    (= (prepared-in make-mashed_potato) blender0) (= (makes make-mashed_potato) mashed_potato)
    (= (width make-mashed_potato) 1)
    (= (uses make-mashed_potato boiled_potato_slices) 1)
    (= (prepared-in make-mashed_sweet_potato) blender0)
    (= (makes make-mashed_sweet_potato) mashed_sweet_potato) (= (width make-mashed_sweet_potato) 1)
    (= (uses make-mashed_sweet_potato boiled_sweet_potato_slices) 1)
    (= (prepared-in make-mashed_potato_and_carrot_mixture) blender0)
    (= (makes make-mashed_potato_and_carrot_mixture) mashed_potato_and_carrot_mixture)
    (= (width make-mashed_potato_and_carrot_mixture) 2)
    (= (uses make-mashed_potato_and_carrot_mixture boiled_potato_slices) 1)
    (= (uses make-mashed_potato_and_carrot_mixture carrot) 1)
    (= (prepared-in make-mashed_romaine_lettuce) blender0)
    (= (makes make-mashed_romaine_lettuce) mashed_romaine_lettuce)
    (= (width make-mashed_romaine_lettuce) 1)
    (= (uses make-mashed_romaine_lettuce boiled_romaine_lettuce_slices) 1)
    (= (prepared-in make-mashed_taro) blender0) (= (makes make-mashed_taro) mashed_taro)
    (= (width make-mashed_taro) 1)
    (= (uses make-mashed_taro boiled_taro_slices) 1)
    (= (prepared-in make-mashed_zucchini) blender0) (= (makes make-mashed_zucchini) mashed_zucchini)
    (= (width make-mashed_zucchini) 1)
    (= (uses make-mashed_zucchini boiled_zucchini_slices) 1))

  (:layout
    (rows "#X# #"
          " .X.X"
          " .X.X"
          " .X. "
          "# # #")
    (cell assistant-counter 1 0) (cell pot0 3 0 "pot")
    (cell ingredient_dispenser 0 1 "foods") (cell assistant-top 1 1) (cell counter-top 2 1)
    (cell chef-top 3 1) (cell chef-counter-top 4 1)
    (cell chopping_board0 0 2 "board") (cell assistant-middle 1 2) (cell counter-middle 2 2)
    (cell chef-middle 3 2) (cell chef-counter-middle 4 2)
    (cell dish_dispenser 0 3 "dishes") (cell assistant-bottom 1 3) (cell counter-bottom 2 3)
    (cell chef-bottom 3 3) (cell oven0 4 3 "oven")
    (cell blender0 1 4 "blender") (cell serving-window 3 4 "window")
    (draw (?a - cook) ?a (at ?a))
    (face (?a - cook) ?a (facing ?a))
    (draw (?h - holder) (holds ?h) ?h)
    (draw (?h - holder) "in a dish" ?h :when (plated ?h))
    (draw (?u - utensil ?k - slot) (inside ?u ?k) ?u)
    (draw (?u - utensil) (making ?u) ?u)
    (draw (?u - utensil) (stage-of ?u) ?u)
    ; for a cook, who reads it in these words
    (draw (?u - utensil ?x - food) ?x ?u :when (at-work ?u ?x))
    (draw (?u - utensil ?x - food) "{?x} ready" ?u :when (finished ?u ?x))))
