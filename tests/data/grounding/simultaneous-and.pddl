; `and`: conditions and operands are read before, deletions come first, updates add up.
(define (domain at-once)
  (:requirements :adl :multi-agent :bounded-numbers :object-fluents :sequential-effects)
  (:turns MODE)
  (:types cook box - object)
  (:constants b1 - box)
  (:predicates (p) (q) (never) (on ?b - box) (off ?b - box))
  (:functions (n) - (int 0 7) (m) - (int -2 3) (top) - box (bottom) - box)
  (:action swap :agent ?c - cook
    :effect (and (when (p) (and (not (p)) (q))) (when (q) (and (not (q)) (p)))))
  (:action toggle-all :agent ?c - cook
    :effect (forall (?b - box) (and (when (on ?b) (and (not (on ?b)) (off ?b)))
                                    (when (off ?b) (and (not (off ?b)) (on ?b))))))
  (:action add-and-delete :agent ?c - cook :parameters (?b - box)
    :effect (and (on ?b) (not (on ?b)) (case ((p) (and (off ?b) (q))) (else (not (off ?b)))) (off ?b)))
  (:action exchange :agent ?c - cook
    :effect (and (assign (top) (bottom)) (assign (bottom) (top))))
  (:action count-up :agent ?c - cook
    :effect (forall (?b - box) (when (on ?b) (increase (n) 1))))
  (:action cross :agent ?c - cook
    :effect (and (assign (n) (m)) (assign (m) (n))))
  (:action mixed :agent ?c - cook
    :effect (and (increase (n) 2) (decrease (m) (n)) (when (> (n) 3) (scale-up (m) 2))))
  (:action one-by-one :agent ?c - cook
    :effect (seq (increase (n) 3) (decrease (n) 2) (assign (m) (n)) (when (= (m) 1) (p))))
  (:action unreachable :agent ?c - cook :precondition (never) :effect (and (never) (p)))
  ; A sequence of which only one part can happen is still a sequence.
  (:action still :agent ?c - cook
    :effect (and (q) (seq (when (q) (p)) (when (never) (not (p)))) (not (on b1))))
  (:action nested :agent ?c - cook
    :effect (and (not (p)) (seq (when (p) (q)) (p)) (when (p) (decrease (n) 1)))))
(define (problem at-once-1) (:domain at-once)
  (:objects ann bob - cook b2 - box)
  (:init (p) (on b1) (off b2) (= (top) b1) (= (n) 1))
  (:goal (and (on b1) (on b2) (p) (q) (= (n) 7))))
