(define (problem breakfast)
  (:domain kitchen)
  (:init
    (clean plate)
    (wet cup)
  (:goal
    (and
      (clean cup)
      (clean plate)
  )
)
