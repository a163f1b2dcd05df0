(define (domain quotes)
  (:requirements :typing :text)
  (:types pot)
  (:predicates (clean ?p - pot :text '{?p} is clean') (dry ?p - pot :text “{?p} is dry”))
  (:action wash
    :parameters (?p - pot)
    :precondition (else `{?p} doesn't need it` (dry ?p))
    :effect (clean ?p)
    :label "wash({?p})”
    :text 'wash "{?p}"'))
