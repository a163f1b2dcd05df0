; optimum 1
; warns W0104
(define (problem rooms-1)
  (:domain rooms)
  (:requirements :strips)
  (:objects hall - room attic - room attic - room)
  (:init (in hall) (door hall attic) (door hall attic) (not (in attic)))
  (:goal (and (in attic) (in attic))))
