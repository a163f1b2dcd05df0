; A helper fetches an egg and places it on the counter; the chef takes and serves it.
(define (domain egg)
  (:requirements :strips :typing :negative-preconditions :equality :multi-agent :text)
  (:types agent item - object
          cook - agent)
  (:constants chef helper - cook)
  (:predicates (holds ?c - cook ?i - item)
               (busy ?c - cook)
               (on-counter ?i - item)
               (stocked ?i - item)
               (served ?i - item))
  (:action fetch
    :agent ?c - cook
    :parameters (?i - item)
    :precondition (and (= ?c helper)
                       (else "the helper's hands are full" (not (busy ?c)))
                       (else "there is no {?i} left" (stocked ?i)))
    :effect (and (holds ?c ?i) (busy ?c) (not (stocked ?i)))
    :label "fetch({?i})" :text "fetch the {?i}")
  (:action place
    :agent ?c - cook
    :parameters (?i - item)
    :precondition (and (= ?c helper) (else "you do not hold the {?i}" (holds ?c ?i)))
    :effect (and (not (holds ?c ?i)) (not (busy ?c)) (on-counter ?i))
    :label "place({?i})")
  (:action take
    :agent ?c - cook
    :parameters (?i - item)
    :precondition (and (= ?c chef) (else "there is no {?i} on the counter" (on-counter ?i)))
    :effect (and (not (on-counter ?i)) (holds ?c ?i))
    :label "take({?i})")
  (:action serve
    :agent ?c - cook
    :parameters (?i - item)
    :precondition (and (= ?c chef) (else "you do not hold the {?i}" (holds ?c ?i)))
    :effect (and (not (holds ?c ?i)) (served ?i))
    :label "serve({?i})"))
