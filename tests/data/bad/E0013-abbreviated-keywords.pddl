(define (domain short)
  (:requirements :typing)
  (:types pot)
  (:preds (clean ?p - pot) (dry ?p - pot))
  (:action wash
    :params (?p - pot)
    :pre (dry ?p)
    :post (clean ?p))
  (:dry
    :parameters (?p - pot)
    :effect (dry ?p))
  (:operator empty
    :args (?p - pot)
    :effects (not (clean ?p))))
