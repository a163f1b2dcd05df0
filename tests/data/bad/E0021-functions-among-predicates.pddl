(define (domain d) (:requirements :typing :numeric-fluents :object-fluents :bounded-numbers) (:types w o)
 (:predicates (idle ?w - w) (held ?w - w) - o (load ?w - w) - (int 0 3) (cap ?w - w) - number)
 (:action a :parameters (?w - w ?o - o) :precondition (and (idle ?w) (< (load ?w) (cap ?w)) (= (held ?w) undefined)) :effect (and (assign (held ?w) ?o) (increase (load ?w) 1))))
