//! Identity of delayed effects, and the order in which they advance.

use crate::grounding::compile::{resolve_texts, task};

/// The names of a task's delayed effects, in their order.
fn timers(actions: &str) -> Vec<String> {
    let domain = format!(
        "(define (domain order)
           (:requirements :adl :multi-agent :delayed-effects :sequential-effects :options :events
             :bounded-numbers :text)
           (:types cook item)
           (:constants egg fig - item)
           (:predicates (p) (q) (never) (done ?i - item) (near ?c - cook ?i - item))
           (:functions (time ?i - item) - (int 1 5))
           {actions})"
    );
    let problem = "(define (problem order-1) (:domain order) (:objects ann bob - cook)
        (:init (= (time egg) 2) (= (time fig) 2)) (:goal (p)))";
    let task = task(&resolve_texts(&domain, problem, "clean"));
    task.timers.iter().map(|timer| timer.name.clone()).collect()
}

#[test]
fn the_first_place_counts_whether_or_not_anything_reaches_it() {
    let found = timers(
        "(:action idle :agent ?c - cook :precondition (never) :effect (after 1 (p)))
         (:action one :agent ?c - cook :effect (after 1 (q)))
         (:action two :agent ?c - cook :effect (after 1 (p)))
         (:action no :agent ?c - cook :precondition (q) :effect (not (never)))",
    );
    assert_eq!(found, ["(after 1 (p))", "(after 1 (q))"]);
}

#[test]
fn a_place_counts_for_all_that_can_be_read_off_it() {
    let found = timers(
        "(:action one :agent ?c - cook :effect (after 1 (done fig)))
         (:action two :agent ?c - cook :parameters (?i - item) :effect (after 2 (done ?i)))
         (:action three :agent ?c - cook :effect (and (after 2 (done fig)) (after 1 (done egg))))",
    );
    let expected = [
        "(after 1 (done fig))",
        "(after 2 (done egg))",
        "(after 2 (done fig))",
    ];
    assert_eq!(found[..3], expected);
    assert_eq!(found[3..], ["(after 1 (done egg))"]);
}

#[test]
fn objects_decide_in_the_order_of_their_variables_then_the_agent() {
    let found = timers(
        "(:action one :agent ?c - cook :parameters (?i ?j - item)
           :effect (and (after 1 (near ?c ?j)) (after 1 (and (p) (log \"rung\")))))",
    );
    let expected = [
        "(after 1 (near ann egg))",
        "(after 1 (near ann fig))",
        "(after 1 (near bob egg))",
        "(after 1 (near bob fig))",
        "(after 1 (and (p) (log \"rung\"))) by ann",
        "(after 1 (and (p) (log \"rung\"))) by bob",
    ];
    assert_eq!(found, expected);
}

#[test]
fn nothing_in_a_text_is_evaluated() {
    let found = timers(
        "(:action one :agent ?c - cook :parameters (?i - item)
           :effect (and (after 2 (p)) (after (time ?i) (p)) (after 2 (and (p)))))",
    );
    let expected = [
        "(after 2 (p))",
        "(after (time egg) (p))",
        "(after (time fig) (p))",
    ];
    assert_eq!(found, expected);
}

#[test]
fn primitives_have_a_place_of_their_own() {
    let found = timers(
        "(:action late :agent ?c - cook :effect (and (do (ring)) (after 1 (q))))
         (:action ring :primitive :effect (after 1 (p)))
         (:event soon :precondition (p) :effect (after 1 (not (p))))",
    );
    let expected = ["(after 1 (q))", "(after 1 (p))", "(after 1 (not (p)))"];
    assert_eq!(found, expected);
}

#[test]
fn an_effect_stands_before_those_inside_it_and_a_maintain_before_its_parts() {
    let keep =
        "(maintain (q) (done egg) (p) (after 2 (and (p) (after 1 (q)))) (after 1 (not (p))))";
    let found = timers(&format!("(:action one :agent ?c - cook :effect {keep})"));
    let part = |number: u32| format!("{keep} part {number}");
    let expected = [
        keep.to_owned(),
        part(2),
        "(after 1 (q))".to_owned(),
        part(3),
    ];
    assert_eq!(found, expected);
}
