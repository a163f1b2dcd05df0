(define (domain kitchen)
  (:types item)
  (:predicates (clean ?i - item) (dry ?i - item))
  (:action wash
    :parameters (?i - item)
    :precondition (or (not (clean ?i)) (not (dry ?i)))
    :effect (and (clean ?i) (when (dry ?i) (not (dry ?i)))))
  (:action wipe
    :parameters (?i - item)
    :precondition (clean ?i)
    :effect (dry ?i)))
