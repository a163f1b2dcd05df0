(define (domain kitchen)
  (:requirements :typing :bounded-numbers :delayed-effects :text :object-fluents :durative-actions
                 :aggregates :derived-predicates :multi-agent)
  (:types cook item)
  (:predicates (done) (hot ?i - item) (warm ?i - item))
  (:functions (heat) - (int 1 9) (held ?c - cook :text "{?c} holds {(held ?c)}, at heat {(heat)}") - item)
  (:derived (warm ?i) (hot ?i))
  (:action cook
    :agent ?c - cook
    :parameters (?i - item)
    :effect (and (after (heat) (done))
                 (on-nth (count (?o - item) (warm ?o)) (done))
                 (log "heat {(heat)}")
                 (increase (heat) 1)
                 (assign (held ?c) ?i))
    :label "cook({(held ?c)})"
    :text "cook {(held ?c)} at heat {(heat)}")
  (:durative-action bake
    :agent ?c - cook
    :parameters ()
    :duration (= ?duration (+ 1 (heat)))
    :condition (and)
    :effect (at end (done))))
