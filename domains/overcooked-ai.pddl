; Overcooked-AI, the kitchen of Carroll et al. ("On the Utility of Learning about Humans for Human-AI
; Coordination", NeurIPS 2019), and the gates that Agashe et al. added to it ("LLM-Coordination", 2023).
;
; Players walk on a grid, turn, and interact with the station that they face, all at the same time.
; First they interact, in order, each seeing what those before have done. Then they move: if two would
; meet in one cell, or change places, nobody moves. Then the pots cook. Whoever delivers a soup that is
; ordered earns what it is worth.
;
; Under `clean` a pot cooks when a player with empty hands says so, with one to three ingredients. Under
; `old-dynamics`, as in the paper, it cooks by itself as soon as there are three.
;
; A problem is a layout: `brigade import overcooked` makes one of the published files.
; docs/reference/systems/overcooked-ai.md is the guide.

(define (domain overcooked-ai)
  (:requirements :adl :multi-agent :object-fluents :numeric-fluents :bounded-numbers :aggregates
                 :sequential-effects :options :events :horizon :text)

  (:types
    player direction cell thing contents - object
    floor station - cell
    counter dispenser pot window gate - station
    ingredient - thing
    soup - (either thing contents))

  (:constants
    north south east west - direction
    dish - thing
    onion tomato - ingredient
    nothing - contents
    soup-o soup-oo soup-ooo soup-t soup-tt soup-ttt soup-ot soup-oot soup-ott - soup)

  (:predicates
    (cooking ?k - pot :text "{?k} is on")  ; also when the soup is ready
    (open ?g - gate :text "{?g} is open"))

  (:functions
    ; the layout
    (next ?c - floor ?d - direction) - floor     ; the floor in that direction, if any
    (ahead ?c - floor ?d - direction) - station  ; what stands there instead, or around it
    (gives ?s - dispenser :text "{?s} gives {(gives ?s)}") - thing
    (doorway ?g - gate) - floor
    ; the recipes
    (with ?c - contents ?i - ingredient) - soup  ; undefined if there are three in it
    (cook-time ?s - soup) - number
    (worth ?s - soup) - number  ; 0: not ordered
    ; the state
    (at ?p - player :text "{?p} is at {(at ?p)}") - floor
    (facing ?p - player :text "{?p} faces {(facing ?p)}") - direction
    (held ?p - player :text "{?p} holds {(held ?p)}") - thing
    (on ?c - counter :text "{(on ?c)} is on {?c}") - thing
    (in ?k - pot :text "{?k} holds {(in ?k)}") - contents
    (cooked-for ?k - pot :text "{?k} has cooked for {(cooked-for ?k)} ticks") - (int 0 120)
    (open-for ?g - gate) - (int 0 10)
    (delivered) - (int 0 99)      ; soups that were ordered
    (dishes-wanted) - (int 0 99)  ; pots to be emptied sooner or later, before this step
    ; totals: what all players earn, what each does, and what the published engine gives it on the way
    (reward) - number
    (sparse ?p - player) - number
    (shaped ?p - player) - number)

  (:transient (goes ?p - player) - floor)

  (:facts
    (= (with nothing onion) soup-o) (= (with nothing tomato) soup-t)
    (= (with soup-o onion) soup-oo) (= (with soup-o tomato) soup-ot)
    (= (with soup-t onion) soup-ot) (= (with soup-t tomato) soup-tt)
    (= (with soup-oo onion) soup-ooo) (= (with soup-oo tomato) soup-oot)
    (= (with soup-ot onion) soup-oot) (= (with soup-ot tomato) soup-ott)
    (= (with soup-tt onion) soup-ott) (= (with soup-tt tomato) soup-ttt))

  (:semantics clean old-dynamics)

  (:turns simultaneous)

  ; ---- What players do ----

  (:action move
    :agent ?p - player
    :parameters (?d - direction)
    :effect (and (assign (facing ?p) ?d) (assign (goes ?p) (next (at ?p) ?d)))
    :label none
    :text "move {?d}")

  (:action interact
    :agent ?p - player
    :effect (and (when (= (ahead (at ?p) (facing ?p)) undefined) (log "interact"))
                 (let ((?s (ahead (at ?p) (facing ?p))))
                   (case
                     ((= (held ?p) undefined)
                       (and (do (take ?p ?s))
                            (do (pick-up ?p ?s))
                            (do (start ?p ?s))
                            (do (unlock ?p ?s))))
                     (else
                       (and (do (put-down ?p ?s))
                            (do (add ?p ?s))
                            (do (fill ?p ?s))
                            (do (deliver ?p (held ?p) ?s)))))))
    :label none
    :text "interact")

  ; ---- With empty hands ----

  (:action take
    :primitive
    :agent ?p - player
    :parameters (?s - dispenser)
    :effect (and (assign (held ?p) (gives ?s))
                 (log "take({(gives ?s)})")
                 ; of two players, while no dish lies about and more are wanted than are in hands
                 (when (and (= (gives ?s) dish)
                            (= (count (?_ - player) (and)) 2)
                            (forall (?c - counter) (not (= (on ?c) dish)))
                            (< (count (?q - player) (= (held ?q) dish)) (dishes-wanted)))
                   (increase (shaped ?p) 3))))

  (:action pick-up
    :primitive
    :agent ?p - player
    :parameters (?c - counter)
    :precondition (not (= (on ?c) undefined))
    :effect (and (assign (held ?p) (on ?c)) (assign (on ?c) undefined) (log "pick-up({?c})")))

  (:action start
    :primitive
    :agent ?p - player
    :parameters (?k - pot)
    :precondition (and (semantics clean) (not (= (in ?k) nothing)) (not (cooking ?k)))
    :effect (and (cooking ?k) (log "start({?k})")))

  (:action unlock
    :primitive
    :agent ?p - player
    :parameters (?g - gate)
    :precondition (not (open ?g))
    :effect (and (open ?g) (log "open({?g})")))

  ; ---- With something in hand ----

  (:action put-down
    :primitive
    :agent ?p - player
    :parameters (?c - counter)
    :precondition (= (on ?c) undefined)
    :effect (and (assign (on ?c) (held ?p)) (assign (held ?p) undefined) (log "put-down({?c})")))

  (:action add
    :primitive
    :agent ?p - player
    :parameters (?k - pot)
    :precondition (and (not (cooking ?k)) (not (= (with (in ?k) (held ?p)) undefined)))
    :effect (and (assign (in ?k) (with (in ?k) (held ?p)))
                 (assign (held ?p) undefined)
                 (log "add({?k})")
                 (increase (shaped ?p) 3)))

  (:action fill
    :primitive
    :agent ?p - player
    :parameters (?k - pot)
    :precondition (and (= (held ?p) dish) (cooking ?k) (>= (cooked-for ?k) (cook-time (in ?k))))
    :effect (and (assign (held ?p) (in ?k))
                 (assign (in ?k) nothing)
                 (not (cooking ?k))
                 (assign (cooked-for ?k) 0)
                 (log "fill({?k})")
                 (increase (shaped ?p) 5)))

  (:action deliver
    :primitive
    :agent ?p - player
    :parameters (?s - soup ?_w - window)
    :effect (and (assign (held ?p) undefined)
                 (log "deliver({?s})")
                 (increase (reward) (worth ?s))
                 (increase (sparse ?p) (worth ?s))
                 (when (> (worth ?s) 0) (increase (delivered) 1))))

  ; ---- What happens then ----

  (:event bump  ; into a gate that nobody has opened in this step either
    :parameters (?p - player ?g - gate)
    :precondition (and (= (goes ?p) (doorway ?g)) (not (open ?g)))
    :effect (assign (goes ?p) undefined))

  (:event block
    :parameters (?p ?q - player)
    :precondition (and (not (= ?p ?q))
                       (not (= (goes ?p) undefined))
                       (or (= (goes ?p) (goes ?q))
                           (and (= (goes ?p) (at ?q))
                                (or (= (goes ?q) undefined) (= (goes ?q) (at ?p))))))
    :effect (forall (?r - player) (assign (goes ?r) undefined)))

  (:event walk
    :parameters (?p - player)
    :precondition (not (= (goes ?p) undefined))
    :effect (assign (at ?p) (goes ?p)))

  (:event simmer
    :parameters (?k - pot)
    :effect (case
              ((and (semantics old-dynamics) (not (cooking ?k)) (= (with (in ?k) onion) undefined))
                (and (cooking ?k) (increase (cooked-for ?k) 1)))
              ((and (cooking ?k) (< (cooked-for ?k) (cook-time (in ?k))))
                (increase (cooked-for ?k) 1))))

  (:event close  ; not while somebody stands in it
    :parameters (?g - gate)
    :precondition (and (open ?g) (forall (?p - player) (not (= (at ?p) (doorway ?g)))))
    :effect (case
              ((= (open-for ?g) 10) (and (not (open ?g)) (assign (open-for ?g) 0)))
              (else (increase (open-for ?g) 1))))

  (:event look-ahead
    :effect (assign (dishes-wanted)
                    (count (?k - pot)
                      (or (cooking ?k)
                          (and (not (= (in ?k) nothing))
                               (not (= (with (in ?k) onion) undefined)))))))

  (:layout
    (draw (?p - player) ?p (at ?p))
    (face (?p - player) ?p (facing ?p))
    (draw (?p - player) (held ?p) ?p)
    (draw (?c - counter) (on ?c) ?c)
    (draw (?k - pot ?s - soup) ?s ?k :when (= (in ?k) ?s))
    (draw (?k - pot) "{(cooked-for ?k)} ticks" ?k :when (cooking ?k))
    (draw (?g - gate) ?g (doorway ?g))
    (draw (?g - gate) "open" ?g :when (open ?g))))
