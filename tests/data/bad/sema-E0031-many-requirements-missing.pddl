(define (domain many)
  (:types cook item)
  (:predicates (clean ?i - item))
  (:functions (load) - (int 0 3))
  (:action wash
    :agent ?c - cook
    :parameters (?i - item)
    :precondition (and (not (clean ?i)) (< (load) 3) (or (clean ?i) (= (load) 0)))
    :effect (after 2 (clean ?i))))
