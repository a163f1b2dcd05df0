(define (domain kitchen)
  (:requirements :events :options :text)
  (:predicates (done) (rung))
  (:action ring :primitive
    :effect (and (rung) (log "ring()")))
  (:action finish :primitive
    :effect (do (ring)))
  (:event tick
    :precondition (done)
    :effect (do (finish))))
