(define (domain kitchen)
  (:requirements :events :text)
  (:predicates (burnt))
  (:event fire :precondition (burnt) :effect (log "fire!")))
