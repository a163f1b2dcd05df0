; `(when` is never closed: what follows is indented as something beside it.
(define (domain roast)
  (:requirements :conditional-effects)
  (:predicates (hot) (raw) (roasted))
  (:action roast
    :effect (and (not (raw))
                 (when (hot) (and (roasted) (not (raw)))
                 (hot))))
