//! Facts that share a variable exclude each other in every reachable state.
//!
//! Random domains in which facts move: actions that take from one place and put to another, mostly
//! but not always of the same thing. A group of facts that can hold together loses one of them, so
//! the comparison with the interpreter finds it.

use std::fs;
use std::path::Path;

use brigade::task::PackedTask;
use brigade::task::layout::VariableKind;

use crate::grounding::agree::{Extent, agree};
use crate::grounding::compile::{resolve_texts, task};
use crate::grounding::random_domains::Random;

/// Facts about a thing and about an agent of which at most one each should hold, if actions are
/// well made.
const THING: [&str; 4] = ["(at ?x ?p)", "(at ?x ?r)", "(has ?c ?x)", "(gone ?x)"];
const AGENT: [&str; 4] = ["(near ?c ?p)", "(near ?c ?r)", "(near ?c ?r)", "(idle ?c)"];

fn effect(random: &mut Random, from: &str, to: &str) -> String {
    let delete = format!("(not {from})");
    match random.below(30) {
        // Not paid for.
        0 => to.to_owned(),
        // Deleted under a condition, added without.
        1 => format!("(and {to} (when (on) {delete}))"),
        2 => format!("(and {delete} (when (on) {to}))"),
        3 => format!("(when {from} (and {delete} {to}))"),
        4 => format!("(and (when (and {from} (on)) {delete}) (when (and {from} (on)) {to}))"),
        5 => format!("(and {delete} {to} (when (on) (gone ?x)))"),
        6 => format!("(seq {delete} {to})"),
        7 => format!("(and (forall (?y - thing) (when (gone ?y) (not (gone ?y)))) {delete} {to})"),
        8 => format!("(case ((on) (and {delete} {to})) (else (not (on))))"),
        9 => format!("(and {delete} (after 1 {to}))"),
        _ => format!("(and {delete} {to})"),
    }
}

pub(crate) fn texts(seed: u64) -> (String, String) {
    let mut random = Random::new(seed);
    let turns = ["sequential", "simultaneous", "alternate"][random.below(3)];
    let mut actions = String::new();
    for number in 0..3 + random.below(2) {
        let facts = if random.chance(60) { THING } else { AGENT };
        let from = facts[random.below(facts.len())];
        let to = facts[random.below(facts.len())];
        let more = if random.chance(20) { "(on)" } else { "" };
        let required = if random.chance(90) { from } else { "" };
        actions.push_str(&format!(
            "(:action a{number} :agent ?c - cook :parameters (?x - thing ?p ?r - place)
               :precondition (and {required} {more}) :effect {})\n",
            effect(&mut random, from, to)
        ));
    }
    if random.chance(30) {
        actions.push_str(
            "(:event lose :parameters (?x - thing ?p - place) :precondition (and (at ?x ?p) (on))
               :effect (and (gone ?x) (not (at ?x ?p))))\n",
        );
    }
    if random.chance(30) {
        actions.push_str(
            "(:event twice :parameters (?x - thing ?p - place)
            :precondition (and (gone ?x) (not (on))) :effect (at ?x ?p))\n",
        );
    }
    let domain = format!(
        "(define (domain moves)
  (:requirements :adl :multi-agent :events :delayed-effects :sequential-effects)
  (:turns {turns})
  (:types cook thing place - object)
  (:predicates (at ?x - thing ?p - place) (has ?c - cook ?x - thing) (gone ?x - thing) (on)
    (near ?c - cook ?p - place) (idle ?c - cook))
  (:action switch :agent ?c - cook :effect (when (not (on)) (on)))
  {actions})"
    );
    let more = if random.chance(20) { "(at egg b)" } else { "" };
    let problem = format!(
        "(define (problem moves-1) (:domain moves)
           (:objects ann bob - cook egg leek - thing a b - place)
           (:init (near ann a) (idle bob) (at egg a) (at leek b) {more}) (:goal (and (gone egg) (gone leek))))"
    );
    (domain, problem)
}

fn groups(task: &PackedTask) -> usize {
    let is_group = |kind, size| kind == VariableKind::Facts && size > 2;
    task.variables
        .iter()
        .filter(|variable| is_group(variable.kind, variable.size))
        .count()
}

#[test]
fn facts_that_share_a_variable_never_hold_together() {
    let extent = Extent {
        walks: 3,
        steps: 15,
        states: 12,
    };
    let mut found = 0;
    for seed in 0..150 {
        let (domain, problem) = texts(seed);
        let model = resolve_texts(&domain, &problem, "clean");
        let task = task(&model);
        found += groups(&task);
        std::panic::catch_unwind(|| agree(&model, &task, seed, extent))
            .unwrap_or_else(|_| panic!("seed {seed}\n{domain}{problem}"));
    }
    // Enough of them have groups for this to be a test.
    assert!(found > 60, "{found}");
}

/// Two hands reach for one thing: with one choice at a time it is in one hand or on the table.
#[test]
fn what_two_agents_can_grab_at_once_is_no_group() {
    let text = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/grounding/contention.pddl"),
    )
    .unwrap();
    for (mode, expected) in [("sequential", 2), ("alternate", 2), ("simultaneous", 0)] {
        let text = text.replace("MODE", mode);
        let (domain, problem) = crate::grounding::compile::halves(&text);
        let task = task(&resolve_texts(domain, problem, "clean"));
        let shared = task.variables.iter().filter(|variable| {
            variable
                .values
                .iter()
                .any(|value| value.name.starts_with("(on-table"))
                && variable
                    .values
                    .iter()
                    .any(|value| value.name.starts_with("(has"))
        });
        assert_eq!(shared.count(), expected, "{mode}");
    }
}

/// A kitchen state takes few words.
#[test]
fn states_of_collab_overcooked_take_at_most_three_words() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let domain = fs::read_to_string(root.join("domains/collab-overcooked.pddl")).unwrap();
    for name in [
        "boiled_egg",
        "baked_pumpkin_soup",
        "zucchini_green_pea_and_onion_patty",
    ] {
        let problem = root.join(format!("problems/collab-overcooked/{name}.pddl"));
        let problem = fs::read_to_string(problem).unwrap();
        for semantics in ["clean", "upstream"] {
            let task = task(&resolve_texts(&domain, &problem, semantics));
            assert!(task.words <= 3, "{name}: {} words", task.words);
        }
    }
}

/// Leaving a place pays for a thing only as long as nobody comes back to it: here `back` does so by
/// a copy, after which the second thing is had beside the first.
#[test]
fn what_an_object_fluent_stands_for_pays_for_nothing() {
    let domain = "(define (domain pay)
      (:requirements :adl :object-fluents)
      (:types place thing - object)
      (:constants here there - place)
      (:predicates (had ?x - thing) (moved))
      (:functions (location) - place (home) - place)
      (:action take :parameters (?x - thing)
        :precondition (= (location) here)
        :effect (and (assign (location) there) (had ?x)))
      (:action back
        :precondition (= (location) there)
        :effect (assign (location) (home)))
      (:action move :precondition (not (moved)) :effect (and (moved) (assign (home) there))))";
    let problem = "(define (problem pay-1) (:domain pay)
      (:objects egg leek - thing)
      (:init (= (location) here) (= (home) here))
      (:goal (and (had egg) (had leek))))";
    let task = task(&resolve_texts(domain, problem, "clean"));
    assert_eq!(groups(&task), 0);
    assert_ne!(task.goal, Some(brigade::task::cond::Cond::False));
}
