; Misspelt sections and keywords are read as those that are meant: names are checked all the same.
(define (domain toast)
  (:requirements :typing)
  (:types slice)
  (:predicats (raw ?s - slice) (toasted ?s - slice))
  (:action toast
    :paramters (?s - slice)
    :precondition (raw ?s)
    :effects (tosted ?s)))
