(define (problem two-lamps)
  (:domain lamps)
  (:objects hall stairs)
  (:goal (and (lit hall) (lit stairs))))
