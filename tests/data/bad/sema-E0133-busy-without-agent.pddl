; Nobody is there to be busy.
(define (domain kitchen)
  (:requirements :durative-actions :options)
  (:predicates (hot) (done))
  (:durative-action boil
    :parameters ()
    :duration (= ?duration 3)
    :condition (at start (hot))
    :effect (at end (done)))
  (:option wash
    :policy (hot)
    :until (done)))
