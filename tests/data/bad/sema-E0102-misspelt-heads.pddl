; Each list is read as what is meant, so that each is one report.
(define (domain roast)
  (:requirements :adl :delayed-effects :text)
  (:types food)
  (:predicates (raw ?x - food) (hot) (roasted ?x - food :txt "{?x} is roasted"))
  (:action roast
    :parameters (?x - food)
    :precondition (ad (els "it is done" (not (roasted ?x)))
                      (impy (hot) (raw ?x))
                      (raw ?x))
    :effect (and (nt (raw ?x))
                 (afte 3 (roasted ?x))
                 (delay 3 (hot)))))
