; Parts left out or empty, wherever they may be.
(define (domain left-out)
  (:requirements)
  (:types)
  (:constants)
  (:predicates (p) (q) (r))
  (:functions)
  (:action no-parameters
    :precondition ()
    :effect (p))
  (:action no-precondition
    :parameters ()
    :effect (and (q)))
  (:action empty-conjunctions
    :parameters ()
    :precondition (and (p) (and) (and (q)))
    :effect (and (and) (r)))
  (:action nothing-at-all))
