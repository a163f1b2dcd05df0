(define (domain kitchen)
  (:requirements :adl :text)
  (:types item)
  (:predicates (raw ?i - item) (wet ?i - item))
  (:action cook
    :parameters (?i - item)
    :precondition (and (else "{?i} is not raw" (raw ?i))
                       (or (raw ?i) (else dry (wet ?i))))
    :effect (when (else wet (wet ?i)) (not (raw ?i)))))
