//! Designs in which each agent asks for itself: `ReAct`, `IO`, `IO-CoT`, `Reflexion`, and how
//! answers are read.

use super::*;

#[test]
fn react_sees_its_last_answer_and_what_was_wrong() {
    let script = [
        "Reasoning: first the stove\nAction: light the stove",
        "Reasoning: now\nAction: pour the tea",
        "Reasoning: too early\nAction: wait",
        "Reasoning: hot now\nAction: pour the tea",
    ];
    let (end, events) = play(&design("react"), "ann", 9, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(modules(&events), ["ann reasoner"; 4]);
    let calls = calls(&events);
    assert!(asked(calls[0]).contains("What you can do now:\n"));
    assert!(!asked(calls[0]).contains("What was wrong"));
    assert!(
        asked(calls[2]).contains("the water is cold"),
        "{}",
        asked(calls[2])
    );
    let retold = calls[1].request["messages"].to_string();
    assert!(retold.contains("first the stove") && retold.contains("left out"));
    assert_eq!(
        outcomes(&events),
        [(0, "ann", "ok"), (1, "ann", "ok"), (2, "ann", "ok")]
    );
}

#[test]
fn every_step_has_one_outcome() {
    let mut design = design("react");
    design.correction.retries = 0;
    design.correction.give_up_after = 0;
    let script = [
        "I would light it.",
        "Reasoning: so\nAction: pour the tea",
        "\u{0}cutReasoning: on and on",
        "Reasoning: so\nAction: light the stove",
        "Reasoning: so\nAction: dance",
        "\u{0}cutReasoning: let me\nAction: pour the t",
    ];
    let (end, events) = play(&design, "ann", 6, &script);
    assert_eq!(end.reason, EndReason::TickLimit);
    let outcomes: Vec<&str> = outcomes(&events)
        .into_iter()
        .map(|(.., outcome)| outcome)
        .collect();
    assert_eq!(
        outcomes,
        [
            "unparseable",
            "illegal_action",
            "truncated",
            "ok",
            "illegal_action",
            "truncated"
        ]
    );
}

#[test]
fn every_answer_is_logged_with_how_it_reads_and_not_the_last_alone() {
    let script = [
        "I would light it.",
        "Action: light the stove",
        "Reasoning: the form first\nAction: light the stove",
    ];
    let (_, events) = play(&design("react"), "ann", 1, &script);
    assert_eq!(outcomes(&events), [(0, "ann", "ok")]);
    let readings = calls(&events).into_iter();
    let readings = readings.map(|call| (call.format.as_deref(), call.strict, call.lenient));
    assert_eq!(
        readings.collect::<Vec<_>>(),
        [
            (Some("text"), Some(false), Some(false)),
            (Some("text"), Some(false), Some(true)),
            (Some("text"), Some(true), Some(true)),
        ]
    );
}

#[test]
fn what_is_a_text_of_any_kind_or_no_answer_is_not_read() {
    let script = [
        "He waits.",
        "Reasoning: so\nAction: wait",
        "Verdict: accept",
        DOWN,
    ];
    let (_, events) = play(&design("cac"), "ann bob", 1, &script);
    let readings = calls(&events).into_iter();
    let readings = readings.map(|call| (call.module.as_str(), call.strict));
    assert_eq!(
        readings.collect::<Vec<_>>(),
        [
            ("theory-of-mind", None),
            ("reasoner", Some(true)),
            ("verifier", Some(false)),
            ("theory-of-mind", None),
        ]
    );
}

#[test]
fn an_outage_is_no_play() {
    let (end, events) = play(
        &design("react"),
        "ann",
        9,
        &["Reasoning: so\nAction: light the stove", DOWN],
    );
    assert_eq!((end.reason, end.ticks), (EndReason::Infrastructure, 1));
    assert_eq!(
        outcomes(&events),
        [(0, "ann", "ok"), (1, "ann", "infra_error")]
    );
}

#[test]
fn an_agent_that_gets_nowhere_gives_up() {
    let mut design = design("react");
    design.correction.retries = 1;
    let (end, events) = play(&design, "ann", 50, &[]);
    assert_eq!((end.reason, end.ticks), (EndReason::GaveUp, 3));
    assert_eq!(calls(&events).len(), 6);
}

#[test]
fn io_asks_once_and_carries_its_plan_out() {
    let plan = "Plan: light the stove; wait; pour the tea";
    let (end, events) = play(&design("io"), "ann", 9, &[plan]);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(modules(&events), ["ann reasoner"]);
    assert!(asked(calls(&events)[0]).contains("Plan all actions until the goal is reached."));
}

#[test]
fn io_carries_nothing_of_a_plan_out_that_is_not_possible_as_a_whole() {
    let plan = "Plan: light the stove; pour the tea";
    let (end, events) = play(&design("io"), "ann", 9, &[plan]);
    assert_eq!((end.reason, end.ticks), (EndReason::GaveUp, 0));
    assert!(calls(&events).len() == 1);
}

#[test]
fn possible_actions_are_shown_once_for_a_refused_plan() {
    let plan = "Plan: light the stove; pour the tea";
    let (_, events) = play(&design("io"), "ann", 9, &[plan]);
    let refused = events.iter().find_map(|event| match event {
        Event::Error(refused) => Some(refused.message.clone()),
        _ => None,
    });
    let refused = refused.unwrap();
    assert_eq!(refused.matches("You can do now").count(), 1, "{refused}");
    assert!(!refused.contains(".."), "{refused}");
}

#[test]
fn io_stops_at_the_end_of_its_plan() {
    let (end, _) = play(&design("io"), "ann", 9, &["Plan: light the stove"]);
    assert_eq!((end.reason, end.ticks), (EndReason::GaveUp, 1));
}

#[test]
fn io_cot_thinks_the_states_out_between_the_actions() {
    let plan = "Reasoning: water first\nAction: light the stove\nState: lit\nAction: wait\n\
                State: hot\nAction: pour the tea\nState: poured";
    let (end, events) = play(&design("io-cot"), "ann", 9, &[plan]);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert!(asked(calls(&events)[0]).contains("State: <what then holds>"));
}

#[test]
fn reflexion_tries_again_with_what_it_has_learnt() {
    let mut design = design("reflexion");
    design.correction = crate::design::Correction {
        retries: 0,
        feedback: true,
        give_up_after: 1,
    };
    let script = [
        "Reasoning: so\nAction: pour the tea",
        "Light the stove before you pour.",
        "Reasoning: so\nAction: light the stove",
        "Reasoning: so\nAction: wait",
        "Reasoning: so\nAction: pour the tea",
    ];
    let (end, events) = play(&design, "ann", 9, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    assert_eq!(
        modules(&events),
        [
            "ann reasoner",
            "ann reflection",
            "ann reasoner",
            "ann reasoner",
            "ann reasoner"
        ]
    );
    let calls = calls(&events);
    assert!(asked(calls[1]).contains("the water is cold"));
    assert!(asked(calls[2]).contains("Light the stove before you pour."));
}

#[test]
fn a_macro_action_is_pursued_without_being_asked_for_again() {
    let mut design = design("cac");
    (design.theory_of_mind, design.verifier) = (None, None);
    design.actions = ActionsShown::Macros;
    let script = [
        "Reasoning: first the stove\nAction: light()",
        "Reasoning: when it is hot\nAction: pour()",
    ];
    let (end, events) = play(&design, "ann", 9, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    let calls = calls(&events);
    assert_eq!(calls.len(), 2);
    assert!(asked(calls[0]).contains("What you can do now:\nlight()\nwait\n"));
    let question = asked(calls[1]);
    assert!(question.contains("- pour(): 2 steps"), "{question}");
    assert_eq!(
        outcomes(&events),
        [(0, "ann", "ok"), (1, "ann", "ok"), (2, "ann", "ok")]
    );
}

#[test]
fn what_cannot_be_got_done_from_here_is_refused_as_a_macro_action() {
    let mut design = design("cac");
    (design.theory_of_mind, design.verifier) = (None, None);
    design.actions = ActionsShown::Macros;
    let script = [
        "Reasoning: at once\nAction: pour()",
        "Reasoning: first the stove\nAction: light()",
    ];
    let (_, events) = play(&design, "ann", 1, &script);
    let question = asked(calls(&events)[1]);
    assert!(
        question.contains("`pour()` cannot be done from here"),
        "{question}"
    );
    assert_eq!(outcomes(&events), [(0, "ann", "ok")]);
}

/// Two who come from both ends of a corridor to the one bell in the middle of it.
const CORRIDOR: &str = r#"
(define (domain corridor)
  (:requirements :adl :multi-agent :object-fluents :bounded-numbers :events :text)
  (:types walker cell)
  (:constants left middle right - cell)
  (:predicates (rung))
  (:functions (at ?w - walker :text "{?w} is at {(at ?w)}") - cell)
  (:transient (goes ?w - walker) - cell)
  (:turns simultaneous)
  (:action go :agent ?w - walker :parameters (?c - cell)
    :effect (assign (goes ?w) ?c) :label none :text "go to {?c}")
  (:action ring :agent ?w - walker
    :precondition (= (at ?w) middle)
    :effect (rung) :label "ring()" :text "ring the bell")
  (:event meet :parameters (?v ?w - walker)
    :precondition (and (not (= ?v ?w)) (not (= (goes ?v) undefined)) (= (goes ?v) (goes ?w)))
    :effect (forall (?u - walker) (assign (goes ?u) undefined)))
  (:event walk :parameters (?w - walker)
    :precondition (not (= (goes ?w) undefined))
    :effect (assign (at ?w) (goes ?w))))"#;

const BELL: &str = "(define (problem bell) (:domain corridor)
  (:objects ann bob - walker)
  (:init (= (at ann) left) (= (at bob) right))
  (:goal (rung) :text \"Ring the bell\"))";

#[test]
fn a_macro_action_that_comes_no_nearer_is_decided_on_anew() {
    let mut design = design("cac");
    (design.theory_of_mind, design.verifier) = (None, None);
    design.actions = ActionsShown::Macros;
    let script = [
        "Reasoning: it is near\nAction: ring()",
        "Reasoning: it is near\nAction: ring()",
        "Reasoning: after you\nAction: wait",
        "Reasoning: still\nAction: ring()",
        "Reasoning: after you\nAction: wait",
    ];
    let (end, events) = play_in(&compiled(CORRIDOR, BELL), &design, 9, &script);
    assert_eq!((end.reason, end.ticks), (EndReason::Goal, 3));
    let calls = calls(&events);
    assert_eq!(calls.len(), script.len());
    let question = asked(calls[2]);
    let why = "`ring()` came no nearer: something is in the way.";
    assert!(question.contains(why), "{question}");
}
