; The stew takes longer than there is time.
(define (domain stew)
  (:requirements :typing :delayed-effects :horizon)
  (:types pot)
  (:predicates (on ?p - pot) (stewed ?p - pot))
  (:action stew
    :parameters (?p - pot)
    :effect (and (on ?p) (after 50 (stewed ?p)))))

(define (problem supper)
  (:domain stew)
  (:objects pot1 - pot)
  (:horizon 20)
  (:goal (on pot1)))
