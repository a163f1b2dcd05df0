; Nothing is to be deleted: that the soup needs cream is right, and there is none.
(define (domain deli)
  (:requirements :adl :object-fluents)
  (:types item ingredient dish - object)
  (:constants squash cream - ingredient)
  (:predicates
    (in-pantry ?i - item)
    (needs ?d - dish ?g - ingredient)
    (added ?d - dish ?g - ingredient)
    (served ?d - dish))
  (:functions (kind ?i - item) - ingredient)
  (:action add
    :parameters (?i - item ?d - dish)
    :precondition (and (in-pantry ?i) (needs ?d (kind ?i)))
    :effect (and (not (in-pantry ?i)) (added ?d (kind ?i))))
  (:action serve
    :parameters (?d - dish)
    :precondition (forall (?g - ingredient) (imply (needs ?d ?g) (added ?d ?g)))
    :effect (served ?d)))

(define (problem lunch)
  (:domain deli)
  (:objects squash1 - item soup - dish)
  (:init (in-pantry squash1) (= (kind squash1) squash) (needs soup squash) (needs soup cream))
  (:goal (served soup)))
