(define (domain hands)
  (:requirements :adl :typing :multi-agent :text :partial-observability)
  (:types player card place)
  (:predicates
    (spy ?p - player)
    (at ?p - player ?l - place)
    (holds ?p - player ?c - card
      :text "{?p} holds {?c}"
      :observable-by (?v - player) (or (not (= ?v ?p)) (spy ?v)))
    (lies ?c - card ?l - place
      :text "{?c} lies at {?l}"
      :observable-by (?v - player) (at ?v ?l)))
  (:action play
    :agent ?p - player
    :parameters (?c - card)
    :precondition (and (else "you are a spy" (not (spy ?p)))
                       (else "you do not hold {?c}" (holds ?p ?c)))
    :effect (not (holds ?p ?c)))
  (:action praise
    :agent ?p - player
    :parameters (?to - player ?c - card)
    :precondition (and (not (= ?p ?to)) (holds ?to ?c))
    :effect (spy ?to))
  (:action lift
    :agent ?p - player
    :parameters (?c - card ?l - place)
    :precondition (and (at ?p ?l) (lies ?c ?l))
    :effect (and (holds ?p ?c) (not (lies ?c ?l)))))

(define (problem deal)
  (:domain hands)
  (:objects ann bob - player ace ten - card table - place)
  (:init (holds ann ace) (at bob table) (at ann table) (lies ten table))
  (:goal (and (spy ann) (not (holds ann ace)) (holds bob ten))))
