(define (domain soup)
  (:requirements :typing :aggregates :numeric-fluents)
  (:types slot)
  (:predicates (full ?k - slot))
  (:action fill
    :parameters (?k - slot)
    :effect (full ?k)))

(define (problem four-onions)
  (:domain soup)
  (:objects first second third - slot)
  (:init)
  (:goal (>= (count (?k - slot) (full ?k)) 4)))
