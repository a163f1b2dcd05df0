; No state enables any of these but the last.
(define (domain hands)
  (:requirements :typing :object-fluents :bounded-numbers :negative-preconditions)
  (:types cook food)
  (:constants egg tea - food)
  (:predicates (done ?c - cook))
  (:functions (held ?c - cook) - food (load) - (int 0 9))
  (:action grab
    :parameters (?c - cook ?f - food)
    :precondition (and (= (held ?c) undefined) (= ?f (held ?c)))
    :effect (assign (held ?c) ?f))
  (:action serve
    :parameters (?c - cook)
    :precondition (and (= (held ?c) egg) (> (load) 2) (= (held ?c) tea))
    :effect (done ?c))
  (:action drop
    :parameters (?c - cook ?f - food)
    :precondition (and (= (held ?c) ?f) (not (= (held ?c) ?f)))
    :effect (assign (held ?c) undefined))
  (:action fill
    :parameters ()
    :precondition (and (> (load) 3) (and (< 0 (load)) (not (> (load) 3))))
    :effect (increase (load) 1))
  (:action empty
    :parameters (?c - cook ?f - food)
    :precondition (and (>= (load) 3) (<= (load) 3) (= (held ?c) ?f) (not (= (held ?c) egg)))
    :effect (assign (load) 0)))
