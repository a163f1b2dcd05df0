; Hanabi (Antoine Bauza), as the Hanabi Learning Environment plays it (Bard et al., 2020): two to five
; players who see all hands but their own build a stack of each colour, from one to five.
;
; In turn each plays a card, discards one, or spends a token to tell another player which of its cards
; have a colour or a rank. A discarded card gives a token back, and so does a stack that is completed. A
; card that does not fit costs a life. Played and discarded cards are replaced from the deck; the
; others of the hand move up, and the new one comes last. When the last card is drawn, everybody has one
; more turn.
;
; A card is called by its place in the deck: card1 is the first to be dealt. Its face is in the deal, a
; stream that `brigade generate deal` draws.
;
; Under `clean` the score is what lies on the stacks, and nothing once all lives are lost. Under
; `keep-score` it stays then, as LLM-Coordination counts. docs/reference/systems/hanabi.md is the guide.

(define (domain hanabi)
  (:requirements :adl :multi-agent :object-fluents :numeric-fluents :bounded-numbers :aggregates
                 :sequential-effects :options :events :derived-predicates :horizon :text
                 :partial-observability)
  (:semantics clean keep-score)

  (:types player slot card face colour rank)

  (:constants one two three four five - rank)

  (:predicates
    (not-colour ?p - player ?s - slot ?k - colour)  ; ruled out by what was told of the card there
    (not-rank ?p - player ?s - slot ?r - rank)
    (discarded ?k - colour ?c - card :text "one {?k} {(rank (face ?c))} is discarded")
    ; what is derived
    (has ?p - player ?s - slot)  ; there is a card
    (over)
    (shows ?p - player ?s - slot ?k - colour ?r - rank
      :text "{?p}'s {?s} card: {?k} {?r}"
      :observable-by (?v - player) (not (= ?v ?p)))
    (known-colour ?p - player ?s - slot ?k - colour :text "{?p} knows: the {?s} card is {?k}")
    (known-rank ?p - player ?s - slot ?r - rank :text "{?p} knows: the {?s} card is a {?r}")
    (other-colour ?p - player ?s - slot ?k - colour :text "{?p} knows: the {?s} card is not {?k}")
    (other-rank ?p - player ?s - slot ?r - rank :text "{?p} knows: the {?s} card is not a {?r}"))

  (:functions
    ; the deal
    (face ?c - card) - face
    (colour ?f - face) - colour
    (rank ?f - face) - rank
    (below ?c - card) - card  ; the next in the deck
    ; the game
    (value ?r - rank) - number
    (highest) - number
    (most-tokens) - number
    (place ?s - slot) - number
    (after ?s - slot) - slot  ; undefined for the last
    ; the state
    (hand ?p - player ?s - slot) - card
    (top) - card  ; of the deck
    (deck :text "cards in the deck: {(deck)}") - (int 0 50)
    (stack ?k - colour :text "cards on the {?k} stack: {(stack ?k)}") - (int 0 5)
    (tokens :text "tokens left: {(tokens)}") - (int 0 8)
    (lives :text "lives left: {(lives)}") - (int 0 3)
    (last-turns) - (int 0 6)  ; with no card in the deck, that of the last draw included
    (score) - number)

  (:turns alternate)
  (:wait none - player)

  (:derived (has ?p - player ?s - slot) (not (= (hand ?p ?s) undefined)))

  (:derived (over) (= (lives) 0))
  (:derived (over) (forall (?k - colour) (= (stack ?k) (highest))))
  (:derived (over) (> (last-turns) (count (?_ - player) (and))))

  ; ---- What is told ----

  (:derived (shows ?p - player ?s - slot ?k - colour ?r - rank)
    (exists (?c - card)
      (and (= (hand ?p ?s) ?c) (= (colour (face ?c)) ?k) (= (rank (face ?c)) ?r))))

  (:derived (known-colour ?p - player ?s - slot ?k - colour)
    (forall (?j - colour) (imply (not (= ?j ?k)) (not-colour ?p ?s ?j))))
  (:derived (known-rank ?p - player ?s - slot ?r - rank)
    (forall (?j - rank) (imply (not (= ?j ?r)) (not-rank ?p ?s ?j))))
  (:derived (other-colour ?p - player ?s - slot ?k - colour)
    (and (not-colour ?p ?s ?k) (< 1 (count (?j - colour) (not (not-colour ?p ?s ?j))))))
  (:derived (other-rank ?p - player ?s - slot ?r - rank)
    (and (not-rank ?p ?s ?r) (< 1 (count (?j - rank) (not (not-rank ?p ?s ?j))))))

  ; ---- What players do ----

  (:action play
    :agent ?p - player
    :parameters (?s - slot)
    :precondition (else "{?p} has no {?s} card" (has ?p ?s))
    :effect (and (let ((?c (hand ?p ?s)))
                   (case
                     ((= (value (rank (face ?c))) (+ 1 (stack (colour (face ?c)))))
                       (and (increase (stack (colour (face ?c))) 1)
                            (when (and (= (value (rank (face ?c))) (highest))
                                       (< (tokens) (most-tokens)))
                              (increase (tokens) 1))))
                     (else (and (decrease (lives) 1) (discarded (colour (face ?c)) ?c)))))
                 (do (close-up ?p ?s)))
    :label "play({?s})"
    :text "play your {?s} card")

  (:action discard
    :agent ?p - player
    :parameters (?s - slot)
    :precondition (and (else "{?p} has no {?s} card" (has ?p ?s))
                       (else "no token is spent" (< (tokens) (most-tokens))))
    :effect (and (let ((?c (hand ?p ?s))) (discarded (colour (face ?c)) ?c))
                 (increase (tokens) 1)
                 (do (close-up ?p ?s)))
    :label "discard({?s})"
    :text "discard your {?s} card")

  (:action tell-colour
    :agent ?p - player
    :parameters (?q - player ?k - colour)
    :precondition (and (else "one tells others only" (not (= ?p ?q)))
                       (else "no tokens are left" (> (tokens) 0))
                       (else "{?q} has no {?k} card"
                         (exists (?s - slot) (= (colour (face (hand ?q ?s))) ?k))))
    :effect (and (decrease (tokens) 1)
                 (forall (?s - slot)
                   (case
                     ((= (colour (face (hand ?q ?s))) ?k)
                       (forall (?j - colour) (when (not (= ?j ?k)) (not-colour ?q ?s ?j))))
                     ((has ?q ?s) (not-colour ?q ?s ?k)))))
    :label "tell({?q}, {?k})"
    :text "tell {?q} which cards are {?k}")

  (:action tell-rank
    :agent ?p - player
    :parameters (?q - player ?r - rank)
    :precondition (and (else "one tells others only" (not (= ?p ?q)))
                       (else "no tokens are left" (> (tokens) 0))
                       (else "{?q} has no {?r}"
                         (exists (?s - slot) (= (rank (face (hand ?q ?s))) ?r))))
    :effect (and (decrease (tokens) 1)
                 (forall (?s - slot)
                   (case
                     ((= (rank (face (hand ?q ?s))) ?r)
                       (forall (?j - rank) (when (not (= ?j ?r)) (not-rank ?q ?s ?j))))
                     ((has ?q ?s) (not-rank ?q ?s ?r)))))
    :label "tell({?q}, {?r})"
    :text "tell {?q} which cards are {?r}s")

  ; The cards after a slot move up, and what was told of them with them.
  (:action close-up
    :primitive
    :agent ?p - player
    :parameters (?s - slot)
    :effect (forall (?t - slot)
              (when (>= (place ?t) (place ?s))
                (and (assign (hand ?p ?t) (hand ?p (after ?t)))
                     (forall (?k - colour)
                       (case
                         ((not-colour ?p (after ?t) ?k) (not-colour ?p ?t ?k))
                         (else (not (not-colour ?p ?t ?k)))))
                     (forall (?r - rank)
                       (case
                         ((not-rank ?p (after ?t) ?r) (not-rank ?p ?t ?r))
                         (else (not (not-rank ?p ?t ?r)))))))))

  ; ---- What comes of it ----

  (:event draw  ; whose last slot is empty
    :parameters (?p - player ?s - slot)
    :precondition (and (= (hand ?p ?s) undefined)
                       (= (after ?s) undefined)
                       (not (= (top) undefined))
                       (not (over)))
    :effect (and (assign (hand ?p ?s) (top)) (assign (top) (below (top))) (decrease (deck) 1)))

  (:event run-out
    :precondition (= (top) undefined)
    :effect (increase (last-turns) 1))

  (:event count-up
    :precondition (and (over) (or (> (lives) 0) (semantics keep-score)))
    :effect (forall (?k - colour) (increase (score) (stack ?k))))

  (:end (over))

  (:facts
    (= (value one) 1) (= (value two) 2) (= (value three) 3) (= (value four) 4) (= (value five) 5))

  ; The hands above, the stacks below.
  (:layout
    (draw (?p - player ?s - slot) "{(colour (face (hand ?p ?s)))}" ?p ?s)
    (draw (?p - player ?s - slot) "{(rank (face (hand ?p ?s)))}" ?p ?s)
    ; for a player, who sees faces and not which card of the deck it is
    (draw (?p - player ?s - slot ?k - colour ?r - rank) "{?k} {?r}" ?p ?s :when (shows ?p ?s ?k ?r))
    (draw (?k - colour) "{(stack ?k)}" ?k)))
