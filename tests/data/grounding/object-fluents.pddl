; Object fluents as arguments of others, undefined values, equality of any two terms.
(define (domain pointers)
  (:requirements :adl :multi-agent :object-fluents :bounded-numbers :aggregates :sequential-effects)
  (:turns MODE)
  (:types cook node colour - object dark - colour)
  (:constants red - colour black - dark)
  (:predicates (mark ?n - node) (seen ?k - colour))
  (:functions (next ?n - node) - node (colour-of ?n - node) - colour (head) - node
              (paint) - dark (weight ?n - node) - (int 0 5) (fixed ?n - node) - node
              (score ?k - colour) - number)
  (:action advance :agent ?c - cook
    :precondition (not (= (next (head)) undefined))
    :effect (assign (head) (next (head))))
  (:action rewind :agent ?c - cook :effect (assign (head) (fixed (head))))
  (:action splice :agent ?c - cook :parameters (?n - node)
    :effect (and (assign (next ?n) (next (next ?n))) (assign (next (head)) ?n)))
  (:action cut :agent ?c - cook :effect (assign (next (next (head))) undefined))
  (:action colour :agent ?c - cook
    :effect (and (assign (colour-of (head)) (paint)) (mark (next (head)))
                 (increase (weight (next (head))) (+ 1 (weight (head)) (score (colour-of (head)))))))
  (:action mix :agent ?c - cook
    :precondition (= (colour-of (head)) (colour-of (next (head))))
    :effect (case ((= (paint) undefined) (assign (paint) black)) (else (assign (paint) undefined))))
  (:action flag :agent ?c - cook :parameters (?k - colour)
    :precondition (or (= (colour-of (head)) ?k) (and (mark (head)) (> (weight (next (head))) 2)))
    :effect (and (seen (colour-of (next (head)))) (not (seen ?k))))
  (:action same :agent ?c - cook
    :precondition (= (next (head)) (fixed (head)))
    :effect (seq (mark (head)) (assign (colour-of (head)) red) (seen (colour-of (head))))))
(define (problem pointers-1) (:domain pointers)
  (:objects ann - cook n1 n2 n3 - node)
  (:init (= (head) n1) (= (next n1) n2) (= (next n2) n3) (= (fixed n1) n2) (= (fixed n2) n2)
         (= (fixed n3) n1) (= (colour-of n3) red) (= (score red) 1) (= (score black) -3))
  (:goal (and (mark n1) (mark n2) (mark n3) (seen black))))
