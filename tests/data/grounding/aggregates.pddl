; count, argmin and argmax with ties, abs, min, max; iteration in key order.
(define (domain aggregates)
  (:requirements :adl :multi-agent :object-fluents :bounded-numbers :aggregates :sequential-effects :text)
  (:turns MODE)
  (:types cook bin - object)
  (:constants b1 b2 b3 - bin)
  (:predicates (full ?b - bin) (even))
  (:functions (load ?b - bin) - (int 0 3) (rank ?b - bin) - number (last) - bin (sum) - (int -5 9))
  (:action fill-least :agent ?c - cook
    :effect (let ((?b (argmin (?b - bin) (not (full ?b)) (load ?b) :ties (rank ?b))))
              (and (increase (load ?b) 1) (assign (last) ?b) (log "fill {?b}"))
              :else (and (assign (last) undefined) (log "none"))))
  (:action drain-most :agent ?c - cook
    :effect (let ((?b (argmax (?b - bin) (> (load ?b) 0) (load ?b)))) (decrease (load ?b) 2)))
  (:action follow :agent ?c - cook
    :effect (let ((?b (last)) (?d (argmax (?d - bin) (not (= ?d ?b)) (- (load ?d) (load ?b)))))
              (and (assign (load ?d) (load ?b)) (full ?b))
              :else (increase (sum) 1)))
  (:action sum :agent ?c - cook
    :effect (assign (sum) (- (max (load b1) (load b2) (load b3))
                             (* 2 (abs (- (count (?b - bin) (full ?b)) (min 1 (load b2))))))))
  (:action parity :agent ?c - cook
    :precondition (= (count (?b ?d - bin) (and (full ?b) (not (full ?d)))) 2)
    :effect (case ((even) (not (even))) (else (even))))
  (:action pour :agent ?c - cook
    :effect (for-each (?b - bin) :by (rank ?b)
              (seq (increase (sum) (load ?b)) (when (> (sum) 3) (full ?b)) (assign (last) ?b))))
  (:action sweep :agent ?c - cook
    :effect (for-each (?b - bin) (and (not (full ?b)) (assign (load ?b) (- (sum) 1)) (assign (sum) (load ?b))))))
(define (problem aggregates-1) (:domain aggregates)
  (:objects ann bob - cook)
  (:init (= (rank b1) 2) (= (rank b2) 1) (= (rank b3) 2) (= (load b1) 1))
  (:goal (and (even) (full b1) (full b2) (full b3))))
