; Every construct of a problem.
(define (problem everything-1)
  (:domain everything)
  (:requirements :strips)
  (:objects alice bob - cook tomato - vegetable hob-1 hob-2 - stove nothing)
  (:INIT
    (at alice fridge) (not (ready)) (= (held alice) tomato) (= (distance hob-1 hob-2) -1.5)
    (at 5 (ready)) (at 7 :early (not (ready))) (at 9 (= (heat hob-1) 3)) (= total-cost 0))
  (:goal (and (ready) (< (count (?i - item) (cooked ?i)) 3)) :text "Be ready: {tomato} is {{raw}}")
  (:metric minimize (+ (total-cost) (* 2 (total-time))))
  (:fail (semantics upstream))
  (:end (cooked tomato))
  (:horizon 400)
  (:layout
    (rows "X.# " ". -|" "{{")
    (cell fridge 0 0) (cell hob-1 1 0 "hob") (cell hob-2 1 1 "a \"hot\" hob")
    (draw "a tomato" alice :when (= (held alice) tomato))))
