; Three links of a hundred, each of which may be any.
(define (domain ring)
  (:requirements :typing)
  (:types thing)
  (:predicates (done) (p ?x - thing) (link ?x ?y - thing))
  (:action choose
    :parameters (?a ?b ?c ?d ?e ?f - thing)
    :precondition (and (link ?a ?b) (link ?c ?d) (link ?e ?f))
    :effect (done)))

(define (problem ring-1)
  (:domain ring)
  (:objects
    o0 o1 o2 o3 o4 o5 o6 o7 o8 o9 o10 o11 o12 o13 o14 o15 o16 o17 o18 o19 o20 o21 o22 o23 o24 o25
    o26 o27 o28 o29 o30 o31 o32 o33 o34 o35 o36 o37 o38 o39 o40 o41 o42 o43 o44 o45 o46 o47 o48 o49
    o50 o51 o52 o53 o54 o55 o56 o57 o58 o59 o60 o61 o62 o63 o64 o65 o66 o67 o68 o69 o70 o71 o72 o73
    o74 o75 o76 o77 o78 o79 o80 o81 o82 o83 o84 o85 o86 o87 o88 o89 o90 o91 o92 o93 o94 o95 o96 o97
    o98 o99 - thing)
  (:init 
    (link o0 o1) (link o1 o2) (link o2 o3) (link o3 o4) (link o4 o5) (link o5 o6) (link o6 o7)
    (link o7 o8) (link o8 o9) (link o9 o10) (link o10 o11) (link o11 o12) (link o12 o13)
    (link o13 o14) (link o14 o15) (link o15 o16) (link o16 o17) (link o17 o18) (link o18 o19)
    (link o19 o20) (link o20 o21) (link o21 o22) (link o22 o23) (link o23 o24) (link o24 o25)
    (link o25 o26) (link o26 o27) (link o27 o28) (link o28 o29) (link o29 o30) (link o30 o31)
    (link o31 o32) (link o32 o33) (link o33 o34) (link o34 o35) (link o35 o36) (link o36 o37)
    (link o37 o38) (link o38 o39) (link o39 o40) (link o40 o41) (link o41 o42) (link o42 o43)
    (link o43 o44) (link o44 o45) (link o45 o46) (link o46 o47) (link o47 o48) (link o48 o49)
    (link o49 o50) (link o50 o51) (link o51 o52) (link o52 o53) (link o53 o54) (link o54 o55)
    (link o55 o56) (link o56 o57) (link o57 o58) (link o58 o59) (link o59 o60) (link o60 o61)
    (link o61 o62) (link o62 o63) (link o63 o64) (link o64 o65) (link o65 o66) (link o66 o67)
    (link o67 o68) (link o68 o69) (link o69 o70) (link o70 o71) (link o71 o72) (link o72 o73)
    (link o73 o74) (link o74 o75) (link o75 o76) (link o76 o77) (link o77 o78) (link o78 o79)
    (link o79 o80) (link o80 o81) (link o81 o82) (link o82 o83) (link o83 o84) (link o84 o85)
    (link o85 o86) (link o86 o87) (link o87 o88) (link o88 o89) (link o89 o90) (link o90 o91)
    (link o91 o92) (link o92 o93) (link o93 o94) (link o94 o95) (link o95 o96) (link o96 o97)
    (link o97 o98) (link o98 o99) (link o99 o0))
  (:goal (done)))
