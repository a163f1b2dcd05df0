; A recipe takes four things, and the pot has three slots.
(define (domain soup)
  (:requirements :typing :aggregates :numeric-fluents)
  (:types slot recipe)
  (:predicates (full ?k - slot) (made ?r - recipe))
  (:functions (width ?r - recipe) - number)
  (:action fill
    :parameters (?k - slot)
    :effect (full ?k))
  (:action make
    :parameters (?r - recipe)
    :precondition (= (count (?k - slot) (full ?k)) (width ?r))
    :effect (made ?r)))

(define (problem four-onions)
  (:domain soup)
  (:objects first second third - slot onion-soup - recipe)
  (:init (= (width onion-soup) 4))
  (:goal (full first)))
