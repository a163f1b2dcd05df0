; Names that are words of PDDL or of the language elsewhere; sections in an unusual order.
(define (domain words)
  (:requirements :adl :action-costs)
  (:predicates (at ?start - over) (after ?end) (log ?all) (count ?min ?max) (case ?do) (let) (seq)
               (object ?x) (text ?x) (maximize) (undefined-yet ?number))
  (:action do
    :parameters (?start - over ?end)
    :precondition (and (at ?start) (forall (?all) (imply (after ?all) (= ?all ?end))))
    :effect (and (log ?end) (count ?start ?end) (let) (seq) (text ?end) (maximize)
                 (forall (?x) (when (object ?x) (case ?x)))))
  (:functions (total-cost) - number)
  (:constants start - over)
  (:types over - all all))
