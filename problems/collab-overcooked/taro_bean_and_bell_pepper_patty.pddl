; Collab-Overcooked, level 6.
(define (problem taro_bean_and_bell_pepper_patty)
  (:domain collab-overcooked)
  (:init
    (= (order) taro_bean_and_bell_pepper_patty)
    (stocked taro) (stocked bean) (stocked bell_pepper))
  (:goal (served) :text "Serve what was ordered."))
