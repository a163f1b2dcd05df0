; Collab Escape of LLM-Coordination (Agashe et al., 2023): two players in a house with a killer repair two
; generators, and get out by the gate that these open.
;
; In every turn both players choose at the same time: each goes to a room that leads on, repairs the
; generator in its room, or waits. A generator runs after two repairs, by two players in one turn or in
; turns one after the other; a turn without one undoes the first. One of the players has to reach the
; gate. A room that a player shares with the killer is the end.
;
; The killer sees into the rooms that lead on from its own. It goes to where its target was as the turn
; began, so it never meets one that leaves; without one it goes anywhere. Where it goes is decided before
; the players choose, and its target is known to them.
;
; docs/reference/systems/collab-escape.md is the guide.

(define (domain collab-escape)
  (:requirements :adl :multi-agent :object-fluents :bounded-numbers :aggregates :sequential-effects
                 :events :derived-predicates :nature :horizon :text)

  (:types
    player hunter - walker
    walker room generator)

  (:constants
    alice bob - player
    killer - hunter)

  (:predicates
    (leads ?a ?b - room :text "{?a} leads to {?b}")
    (gate ?r - room :text "the gate is in {?r}")
    (seen ?p - player)  ; in the turn before
    ; what is derived
    (in-sight ?p - player)
    (runs ?g - generator :text "{?g} runs")
    (open-gate :text "the gate is open"))

  (:functions
    (at ?w - walker :text "{?w} is in {(at ?w)}") - room
    (target :text "the killer goes to the room of {(target)}") - player
    (place ?g - generator :text "{?g} is in {(place ?g)}") - room
    (repairs ?g - generator :text "{?g} has had {(repairs ?g)} of 2 repairs") - (int 0 2))

  (:transient (tended ?g - generator))

  (:derived (in-sight ?p - player) (leads (at killer) (at ?p)))
  (:derived (runs ?g - generator) (= (repairs ?g) 2))
  (:derived (open-gate) (forall (?g - generator) (runs ?g)))

  (:turns simultaneous)
  (:role hunter nature)

  ; ---- What players do ----

  (:action move
    :agent ?p - player
    :parameters (?to - room)
    :precondition (else "the room of {?p} does not lead to {?to}" (leads (at ?p) ?to))
    :effect (assign (at ?p) ?to)
    :label "move({?to})"
    :text "move to {?to}")

  (:action repair  ; also one that runs
    :agent ?p - player
    :parameters (?g - generator)
    :precondition (else "{?g} is in another room" (= (at ?p) (place ?g)))
    :effect (and (increase (repairs ?g) 1) (tended ?g))
    :label "repair({?g})"
    :text "repair {?g}")

  ; ---- What the killer does: what applies is drawn, each as likely ----

  (:action prowl
    :agent ?k - hunter
    :parameters (?to - room)
    :precondition (and (leads (at ?k) ?to) (or (= (target) undefined) (= (at (target)) ?to)))
    :effect (assign (at ?k) ?to)
    :text "go to {?to}")

  ; ---- What happens then ----

  (:event stall
    :parameters (?g - generator)
    :precondition (and (not (tended ?g)) (not (runs ?g)))
    :effect (assign (repairs ?g) 0))

  ; Whoever has just come into sight becomes the target, Alice before Bob. Else the killer stays with the
  ; one that it has while that one is in sight, and then takes the other.
  (:event look
    :effect (let ((?new (argmin (?p - player) (and (in-sight ?p) (not (seen ?p))) 0)))
              (assign (target) ?new)
              :else (when (not (in-sight (target)))
                      (let ((?other (argmin (?p - player) (in-sight ?p) 0)))
                        (assign (target) ?other)
                        :else (assign (target) undefined)))))

  (:event remember
    :parameters (?p - player)
    :effect (case ((in-sight ?p) (seen ?p)) (else (not (seen ?p)))))

  (:fail (exists (?p - player) (= (at ?p) (at killer))))

  (:layout
    (draw (?w - walker) ?w (at ?w))
    (draw (?g - generator) ?g (place ?g))
    (draw (?g - generator) "{(repairs ?g)} of 2" ?g)
    (draw (?r - room) "gate" ?r :when (gate ?r))))
