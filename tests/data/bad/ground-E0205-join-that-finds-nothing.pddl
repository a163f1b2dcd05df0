; A circle of five edges in a graph that has none: every path of four is looked at.
(define (domain graph)
  (:requirements :typing :derived-predicates)
  (:types left right)
  (:predicates (edge ?x ?y) (done))
  (:derived (edge ?_x - left ?_y - right) (and))
  (:derived (edge ?_x - right ?_y - left) (and))
  (:action find
    :parameters (?a ?b ?c ?d ?e)
    :precondition (and (edge ?a ?b) (edge ?b ?c) (edge ?c ?d) (edge ?d ?e) (edge ?e ?a))
    :effect (done)))

(define (problem graph-1)
  (:domain graph)
  (:objects
    l0 l1 l2 l3 l4 l5 l6 l7 l8 l9 l10 l11 l12 l13 l14 l15 l16 l17 l18 l19 l20 l21 l22 l23 l24 l25
    l26 l27 l28 l29 l30 l31 l32 l33 l34 l35 l36 l37 l38 l39 l40 l41 l42 l43 l44 l45 l46 l47 l48 l49
    l50 l51 l52 l53 l54 l55 l56 l57 l58 l59 l60 l61 l62 l63 l64 l65 l66 l67 l68 l69 l70 l71 l72 l73
    l74 l75 l76 l77 l78 l79 - left
    r0 r1 r2 r3 r4 r5 r6 r7 r8 r9 r10 r11 r12 r13 r14 r15 r16 r17 r18 r19 r20 r21 r22 r23 r24 r25
    r26 r27 r28 r29 r30 r31 r32 r33 r34 r35 r36 r37 r38 r39 r40 r41 r42 r43 r44 r45 r46 r47 r48 r49
    r50 r51 r52 r53 r54 r55 r56 r57 r58 r59 r60 r61 r62 r63 r64 r65 r66 r67 r68 r69 r70 r71 r72 r73
    r74 r75 r76 r77 r78 r79 - right)
  (:goal (done)))
