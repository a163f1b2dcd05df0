; A name may end in a dash; where a declared type follows, the blank before it was forgotten.
(define (domain kitchen)
  (:requirements :typing)
  (:types cup- item plate - item a- b- hob - object)
  (:constants kettle- hob spare- lid- - item)
  (:predicates (clean ?i - item) (hot ?h - hob) (of ?a - a- ?b - b-))
  (:action wash :parameters (?i - item) :effect (clean ?i))
  (:action heat :parameters (?h - hob ?a - a- ?b - b-) :precondition (of ?a ?b) :effect (hot ?h)))

(define (problem lunch)
  (:domain kitchen)
  (:objects f-0- g - plate  red blue- item h- hob - cup-  pan- (either hob item))
  (:init (clean f-0-) (hot kettle))
  (:goal (and (clean red) (clean blue) (clean h-) (clean hob) (hot kettle) (clean spare-) (clean lid-))))
