; Each is told; slots and parentheses in them are no lists.
(define (domain shelf)
  (:requirements :typing :negative-preconditions :text)
  (:types jar)
  (:predicates (closed ?j - jar :text the {?j} is closed))
  (:action open
    :parameters (?j - jar)
    :precondition (closed ?j)
    :effect (not (closed ?j))
    :label open({?j}) by hand
    :text open the {?j}"))
