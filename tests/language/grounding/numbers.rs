//! Relaxed reachability of numbers, against exhaustion: nothing that can be reached is excluded.

use std::collections::{BTreeSet, HashSet};
use std::fmt::Write;

use brigade::ground::{self, relaxed::relaxed};
use brigade::sema::model::Model;
use brigade::task::PackedTask;
use brigade::task::TurnMode;
use brigade::task::effect::Record;

use crate::grounding::compile::{resolve_texts, task};
use crate::grounding::random_domains::Random;

/// The greatest value of the numbers; it is above what most guards allow.
const TOP: usize = 7;

const COUNTERS: [&str; 3] = ["(n pot)", "(n pan)", "(m)"];

struct Writer(Random);

impl Writer {
    fn counter(&mut self) -> &'static str {
        COUNTERS[self.0.below(COUNTERS.len())]
    }

    fn number(&mut self) -> String {
        match self.0.below(4) {
            0 => "(cap pot)".to_owned(),
            _ => self.0.below(4).to_string(),
        }
    }

    fn guard(&mut self) -> String {
        let (counter, other) = (self.counter(), self.counter());
        let (number, more) = (self.number(), self.number());
        match self.0.below(11) {
            0 => format!("(<= {counter} {number})"),
            1 => format!("(> {number} {counter})"),
            2 => format!("(not (>= {counter} {number}))"),
            3 => format!("(= {counter} {number})"),
            4 => format!("(<= (+ {counter} {more}) {number})"),
            5 => format!("(< (+ {counter} {other}) {number})"),
            6 => format!("(>= (- (cap pot) {counter}) {more})"),
            7 => format!("(and (< {counter} {number}) (>= {other} {more}))"),
            8 => format!("(< {counter} {other})"),
            _ => format!("(< {counter} {number})"),
        }
    }

    fn change(&mut self) -> String {
        let (counter, other, number) = (self.counter(), self.counter(), self.number());
        match self.0.below(10) {
            0 => format!("(assign {counter} {number})"),
            1 => format!("(assign {counter} (+ {counter} {number}))"),
            2 => format!("(assign {counter} {other})"),
            3 => format!("(decrease {counter} 1)"),
            4 => format!("(increase {counter} {number})"),
            5 => format!("(increase {counter} (- {number} {other}))"),
            _ => format!("(increase {counter} 1)"),
        }
    }

    /// A change, mostly of a number that a condition before it bounds.
    fn guarded(&mut self) -> (String, String) {
        let (guard, change) = (self.guard(), self.change());
        if self.0.chance(40) {
            return (guard, change);
        }
        let (counter, number) = (self.counter(), self.number());
        let step = 1 + self.0.below(2);
        (
            format!("(< {counter} {number})"),
            format!("(increase {counter} {step})"),
        )
    }

    fn effect(&mut self, change: &str) -> String {
        let (guard, more) = self.guarded();
        match self.0.below(10) {
            0 => format!("(seq {change} (when {guard} {more}))"),
            1 => format!("(and {change} (when {guard} {more}))"),
            2 => format!("(after 1 (when {guard} {more}))"),
            3 => format!("(seq {change} {change})"),
            4 => format!("(case ({guard} {more}) (else {change}))"),
            5 => format!("(seq {change} {more})"),
            _ => change.to_owned(),
        }
    }

    fn domain(&mut self) -> String {
        let turns = ["sequential", "simultaneous", "alternate"][self.0.below(3)];
        let mut text = format!(
            "(define (domain numbers)
              (:requirements :adl :multi-agent :numeric-fluents :bounded-numbers :events
                :delayed-effects :sequential-effects :options :durative-actions :equality)
              (:turns {turns})
              (:types cook place)
              (:constants pot pan - place)
              (:functions (n ?p - place) (m) - (int 0 {TOP}) (cap ?p - place) - number)\n"
        );
        for index in 0..=self.0.below(3) {
            let (guard, change) = self.guarded();
            let effect = self.effect(&change);
            let _ = writeln!(
                text,
                "(:action a{index} :agent ?c - cook :precondition {guard} :effect {effect})"
            );
        }
        if self.0.chance(30) {
            let (guard, change) = self.guarded();
            let (inner, more) = self.guarded();
            let effect = self.effect(&more);
            let _ = writeln!(
                text,
                "(:option stay :agent ?c - cook :precondition {guard}
                   :policy (and {change} (when {inner} {effect})) :until (>= (m) 2))"
            );
        }
        if self.0.chance(30) {
            let (guard, change) = self.guarded();
            let (inner, more) = self.guarded();
            let _ = writeln!(
                text,
                "(:durative-action last :agent ?c - cook :duration (= ?duration 2)
                   :condition (at start {guard})
                   :effect (and (at start {change}) (at end (when {inner} {more}))))"
            );
        }
        if self.0.chance(40) {
            let (guard, change) = self.guarded();
            let _ = writeln!(text, "(:event e :precondition {guard} :effect {change})");
        }
        if self.0.chance(40) {
            let number = self.number();
            let _ = writeln!(
                text,
                "(:event each :parameters (?p - place) :precondition (< (m) {number})
                   :effect (increase (m) (cap ?p)))"
            );
        }
        for (name, counter) in ["pot", "pan", "m"].into_iter().zip(COUNTERS) {
            for value in 1..=TOP {
                let _ = writeln!(
                    text,
                    "(:action is-{name}-{value} :agent ?c - cook
                       :precondition (>= {counter} {value}) :effect (and))"
                );
            }
        }
        text.push(')');
        text
    }

    fn problem(&mut self) -> String {
        let cooks = ["ann", "ann bob"][self.0.below(2)];
        let (first, capacity) = (self.0.below(2), self.0.below(4));
        format!(
            "(define (problem p) (:domain numbers) (:objects {cooks} - cook)
               (:init (= (n pot) {first}) (= (cap pot) {capacity}) (= (cap pan) 1))
               (:goal (>= (m) {TOP})))"
        )
    }
}

/// The names of all operators that can be chosen in some state, or nothing if there are too many states.
fn exhausted(task: &PackedTask) -> Option<BTreeSet<String>> {
    let mut chosen = BTreeSet::new();
    let mut seen = HashSet::from([task.initial.clone()]);
    let mut open = vec![task.initial.clone()];
    while let Some(state) = open.pop() {
        if seen.len() > 2_000 {
            return None;
        }
        let mut partial = vec![state.clone()];
        for agent in task.acting(&state) {
            let mut next = Vec::new();
            for before in partial {
                let choosing = match task.turns {
                    TurnMode::Sequential => &before,
                    TurnMode::Simultaneous | TurnMode::Alternate => &state,
                };
                for operator in task.applicable(choosing, agent) {
                    chosen.insert(task.operator(operator).name.clone());
                    let mut after = before.clone();
                    task.act(&mut after, operator, &mut Record::default());
                    if !next.contains(&after) {
                        next.push(after);
                    }
                }
            }
            partial = next;
        }
        for mut after in partial {
            task.tick(&mut after, &mut Record::default());
            if seen.insert(after.clone()) {
                open.push(after);
            }
        }
    }
    Some(chosen)
}

/// The names of all operators that relaxed reachability finds.
fn found(model: &Model) -> BTreeSet<String> {
    let name = |object: &brigade::sema::model::ObjectId| &model.objects[object.index()].name[..];
    let options = ground::Options::default();
    relaxed(model, &options, &|| false, |relaxed| {
        let operators = relaxed.operators();
        let names = operators.map(|one| {
            let action = &model.actions[one.action.index()].name[..];
            let words: Vec<&str> = std::iter::once(action)
                .chain(one.args.iter().map(name))
                .collect();
            words.join(" ")
        });
        names.collect()
    })
    .unwrap()
}

/// `NUMBERS_SEED` and `NUMBERS_COUNT` choose other seeds, and more of them.
#[test]
fn no_number_that_is_reached_is_excluded() {
    let read = |name: &str, default: u64| {
        let text = std::env::var(name).ok();
        text.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let (first, count) = (read("NUMBERS_SEED", 0), read("NUMBERS_COUNT", 60));
    let (mut compared, mut excluded) = (0, 0);
    for seed in first..first + count {
        let mut writer = Writer(Random::new(seed));
        let (domain, problem) = (writer.domain(), writer.problem());
        let model = resolve_texts(&domain, &problem, "clean");
        let task = task(&model);
        let Some(chosen) = exhausted(&task) else {
            continue;
        };
        let housekeeping = |name: &String| name == "wait" || name == "continue";
        let chosen: BTreeSet<String> = chosen.into_iter().filter(|n| !housekeeping(n)).collect();
        let found = found(&model);
        let missed: Vec<&String> = chosen.difference(&found).collect();
        assert!(
            missed.is_empty(),
            "seed {seed}: {missed:?}\n{domain}\n{problem}"
        );
        compared += 1;
        let most = TOP * COUNTERS.len() * model.agents.len();
        let probes = found.iter().filter(|name| name.starts_with("is-")).count();
        excluded += most - probes;
    }
    assert!(compared > count / 2, "{compared}");
    assert!(excluded as u64 > count, "{excluded}");
}
