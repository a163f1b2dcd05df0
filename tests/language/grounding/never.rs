//! Commands that can never be given are refused with the reasons of their action, and cost a task nothing.

use brigade::episode::{Lexicon, Rule};
use brigade::ground::{Options, ground};
use brigade::task::PackedTask;
use brigade::task::json::fingerprint;

use crate::common::compiled::model;

const DOMAIN: &str = r#"(define (domain shelves)
  (:requirements :adl :multi-agent :text)
  (:types clerk place book - object  shelf - place)
  (:predicates (at ?c - clerk ?p - place) (on ?b - book ?p - place) (locked ?p - place)
               (closed) (has ?c - clerk ?b - book))
  (:action go
    :agent ?c - clerk
    :parameters (?p - place)
    :precondition (not (at ?c ?p))
    :effect (and (forall (?q - place) (not (at ?c ?q))) (at ?c ?p))
    :label "go({?p})")
  (:action lend
    :agent ?c - clerk
    :parameters (?b - book ?p - place)
    :precondition (and (else "{?c} is not at {?p}" (at ?c ?p))
                       (else "{?p} is no shelf" (exists (?s - shelf) (= ?s ?p)))
                       (not (closed))
                       (else "{?b} is not there" (on ?b ?p)))
    :effect (and (not (on ?b ?p)) (has ?c ?b))
    :label "lend({?b}, {?p})" :text "lend {?b} from {?p}")
  (:action burn
    :agent ?c - clerk
    :parameters (?b - book)
    :precondition (and (closed) (has ?c ?b))
    :effect (not (has ?c ?b))
    :label "burn({?b})"))"#;

const PROBLEM: &str = "(define (problem evening)
  (:domain shelves)
  (:objects ann bob - clerk  door - place  high low - shelf  atlas bible - book)
  (:init (at ann door) (at bob high) (on atlas high))
  (:goal (has ann atlas)))";

fn task(problem: &str, requirements: bool) -> PackedTask {
    let options = Options::default()
        .with_irrelevant_kept(true)
        .with_requirements(requirements);
    ground(&model(DOMAIN, problem, "clean"), &options).unwrap()
}

fn refused(task: &PackedTask, agent: usize, command: &str) -> (Rule, Vec<String>) {
    let refusal = Lexicon::new(task).resolve(task, &task.initial, agent, command);
    let refusal = refusal.unwrap_err();
    (refusal.rule, refusal.reasons)
}

#[test]
fn what_can_never_be_done_is_refused_with_what_does_not_hold_now() {
    let task = task(PROBLEM, true);
    let reasons = |agent, command: &str| refused(&task, agent, command);
    let because = |reasons: &[&str]| {
        let reasons = reasons.iter().map(|&it| it.to_owned());
        (Rule::Precondition, reasons.collect::<Vec<_>>())
    };
    // What depends on the state is judged in it, what does not by itself.
    for command in [
        "lend(bible, door)",
        "lend bible from door",
        "(lend ann bible door)",
        "lend bible door",
    ] {
        assert_eq!(
            reasons(0, command),
            because(&["door is no shelf", "bible is not there"])
        );
    }
    assert_eq!(
        reasons(1, "lend(bible, door)"),
        because(&[
            "bob is not at door",
            "door is no shelf",
            "bible is not there"
        ])
    );
    assert_eq!(
        reasons(0, "lend(atlas, low)"),
        because(&["ann is not at low", "atlas is not there"])
    );
    // What can be done at other times is refused as ever.
    assert_eq!(
        reasons(0, "lend(atlas, high)"),
        because(&["ann is not at high"])
    );
    // Of `burn` the author gives no reason, and there is no such book.
    assert_eq!(reasons(0, "burn(atlas)").0, Rule::UnknownAction);
    assert_eq!(reasons(0, "lend(cookbook, high)").0, Rule::UnknownAction);
}

#[test]
fn reasons_are_no_part_of_a_task_and_use_up_none_of_its_limits() {
    let with = task(PROBLEM, true);
    let without = task(PROBLEM, false);
    assert!(!with.observation.never.is_empty());
    assert!(without.observation.never.is_empty());
    assert_eq!(with.variables.len(), without.variables.len());
    assert_eq!(with.operators.len(), without.operators.len());

    // More than are listed: the first have their reasons, and the task is what it is.
    let names = |prefix: &str| {
        let names = (0..400).map(|number| format!("{prefix}{number}"));
        names.collect::<Vec<_>>().join(" ")
    };
    let many = PROBLEM
        .replace(
            "high low - shelf",
            &format!("high low - shelf {} - place", names("p")),
        )
        .replace("atlas bible", &format!("atlas bible {}", names("b")));
    let large = task(&many, true);
    assert_eq!(
        refused(&large, 0, "lend(bible, door)").0,
        Rule::Precondition
    );
    assert_eq!(
        refused(&large, 1, "lend(b399, p399)").0,
        Rule::UnknownAction
    );
    assert_eq!(fingerprint(&large), fingerprint(&task(&many, true)));
}
