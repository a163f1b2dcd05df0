; Each of four parameters is one of a hundred things.
(define (domain many)
  (:requirements :typing)
  (:types thing)
  (:predicates (done) (p ?x - thing) (link ?x ?y - thing))
  (:action choose
    :parameters (?a ?b ?_c ?_d - thing)
    :precondition (link ?a ?b)
    :effect (done)))

(define (problem many-1)
  (:domain many)
  (:objects
    o0 o1 o2 o3 o4 o5 o6 o7 o8 o9 o10 o11 o12 o13 o14 o15 o16 o17 o18 o19 o20 o21 o22 o23 o24 o25
    o26 o27 o28 o29 o30 o31 o32 o33 o34 o35 o36 o37 o38 o39 o40 o41 o42 o43 o44 o45 o46 o47 o48 o49
    o50 o51 o52 o53 o54 o55 o56 o57 o58 o59 o60 o61 o62 o63 o64 o65 o66 o67 o68 o69 o70 o71 o72 o73
    o74 o75 o76 o77 o78 o79 o80 o81 o82 o83 o84 o85 o86 o87 o88 o89 o90 o91 o92 o93 o94 o95 o96 o97
    o98 o99 - thing)
  (:init (link o0 o1) (link o1 o2) (link o2 o3))
  (:goal (done)))
