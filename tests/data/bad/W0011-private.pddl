; As the unfactored files of CoDMAP have it.
(define (domain depot)
  (:requirements :typing :multi-agent :unfactored-privacy)
  (:types loc truck pkg - object)
  (:constants hub - loc (:private dock - loc))
  (:predicates
    (at ?x - pkg ?p - loc)
    (:private ?agent - truck
      (near ?agent - truck ?l - loc)
      (in ?p - pkg ?agent - truck)))
  (:action drive
    :agent ?a - truck
    :parameters (?x ?y - loc)
    :precondition (near ?a ?x)
    :effect (and (near ?a ?y) (not (near ?a ?x)))))
