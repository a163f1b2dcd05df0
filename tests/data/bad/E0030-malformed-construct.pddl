(define (domain kitchen)
  (:requirements :multi-agent :delayed-effects :sequential-effects :aggregates :durative-actions
    :events :options)
  (:turns sequentially :order any)
  (:live-effects)
  (:tick timers)
  (:predicates (clean ?x) (ready))
  (:functions (heat))
  (:derived (busy))
  (:action wash
    :agent ?a ?b - cook
    :parameters (?x) (?y)
    :precondition (= ?x (argmin (?y ?z) (ready) (heat)))
    :effect (and (after 3 :whlie (ready) (ready)) (for-each (?y) :in (heat) (ready))
      (let (?y 3) (ready)) (let ((?y 3)) (ready) (ready)) (case (ready) (else (ready)) ((ready) (ready)))
      (do wash)))
  (:durative-action dry
    :duration 5
    :condition (ready)
    :effect (and (ready) (over all (ready)))))
