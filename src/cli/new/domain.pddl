; What can happen in this kitchen. A problem, such as soup.pddl, says what is there and what is wanted.
;
; Two cooks share a counter with room for one thing. The helper reaches the pantry and the board, the
; chef the hob; every action takes one tick, cooking goes on by itself.
;
;   brigade check domain.pddl soup.pddl     what is wrong with the files
;   brigade check --facts soup.pddl         what is known of the problem
;   brigade plan soup.pddl                  an optimal plan
;   brigade rats soup.pddl                  what the cooks do in all optimal plans
;   brigade snapshot --check .              whether any of that has changed

(define (domain kitchen)
  (:requirements :typing :negative-preconditions :equality :multi-agent :object-fluents
                 :delayed-effects :text)

  (:types cook food - object)

  ; Who and what is there in every problem.
  (:constants
    helper chef - cook
    carrot chopped-carrot carrot-soup - food)

  ; What is true or false.
  (:predicates
    (in-pantry ?x - food :text "there is {?x} in the pantry")
    (hob-taken :text "something is on the hob")
    (served ?x - food :text "{?x} is served"))

  ; What has one value at a time, or none (undefined).
  (:functions
    (holds ?c - cook :text "{?c} holds {(holds ?c)}") - food
    (on-counter :text "{(on-counter)} is on the counter") - food
    (on-hob :text "{(on-hob)} is on the hob, done") - food
    (chopped ?x - food) - food  ; what becomes of it on the board
    (cooked ?x - food) - food)  ; and on the hob

  ; These hold in every problem.
  (:facts (= (chopped carrot) chopped-carrot) (= (cooked chopped-carrot) carrot-soup))

  ; Why an action is refused is said after `else`. Labels are what references (RATs) consist of.
  (:action fetch
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "only the helper reaches the pantry" (= ?c helper))
                       (else "there is no {?x} in the pantry" (in-pantry ?x))
                       (else "{?c} holds something" (= (holds ?c) undefined)))
    :effect (and (not (in-pantry ?x)) (assign (holds ?c) ?x))
    :label "fetch({?x})"
    :text "fetch {?x} from the pantry")

  (:action chop
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "only the helper reaches the board" (= ?c helper))
                       (else "{?c} does not hold {?x}" (= (holds ?c) ?x))
                       (else "{?x} cannot be chopped" (not (= (chopped ?x) undefined))))
    :effect (assign (holds ?c) (chopped ?x))
    :label "chop({?x})"
    :text "chop {?x}")

  (:action put
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "{?c} does not hold {?x}" (= (holds ?c) ?x))
                       (else "the counter is taken" (= (on-counter) undefined)))
    :effect (and (assign (on-counter) ?x) (assign (holds ?c) undefined))
    :label "put({?x})"
    :text "put {?x} on the counter")

  (:action take
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "{?x} is not on the counter" (= (on-counter) ?x))
                       (else "{?c} holds something" (= (holds ?c) undefined)))
    :effect (and (assign (holds ?c) ?x) (assign (on-counter) undefined))
    :label "take({?x})"
    :text "take {?x} from the counter")

  ; The effect inside `after` comes by itself: at the third tick, the one that ends this step included.
  (:action cook
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "only the chef reaches the hob" (= ?c chef))
                       (else "{?c} does not hold {?x}" (= (holds ?c) ?x))
                       (else "{?x} cannot be cooked" (not (= (cooked ?x) undefined)))
                       (else "the hob is taken" (not (hob-taken))))
    :effect (and (hob-taken) (assign (holds ?c) undefined) (after 3 (assign (on-hob) (cooked ?x))))
    :label "cook({?x})"
    :text "put {?x} on the hob")

  (:action serve
    :agent ?c - cook
    :parameters (?x - food)
    :precondition (and (else "only the chef reaches the hob" (= ?c chef))
                       (else "{?x} is not done" (= (on-hob) ?x)))
    :effect (and (served ?x) (assign (on-hob) undefined) (not (hob-taken)))
    :label "serve({?x})"
    :text "serve {?x}"))
