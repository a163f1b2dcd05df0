; optimum 3
; warns W0102
(Define (Problem FERRY-1)
  (:Domain FERRY)
  (:Objects c1 - CAR Left RIGHT - port)
  (:INIT (AT C1 LEFT) (at-ferry Left))
  (:GOAL (And (At c1 Right))))
