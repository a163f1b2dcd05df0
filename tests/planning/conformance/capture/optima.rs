//! The fewest turns to the capture from each state of the model, and what is proven of the bundled problems.

use std::collections::BTreeMap;

use super::model::{State, start};
use super::steps::STARTS;
use crate::common::compiled::{files, optimum, root, stem};
use crate::conformance::game::{compile, problem};

/// The states that can be reached from one, before the capture.
fn reachable(first: State) -> Vec<State> {
    let mut known = vec![first];
    let mut at = 0;
    while let Some(state) = known.get(at) {
        for (_, next, is_caught) in state.steps() {
            if !is_caught && !known.contains(&next) {
                known.push(next);
            }
        }
        at += 1;
    }
    known
}

/// The fewest turns from each state from which the thief can be caught.
fn values(states: &[State]) -> BTreeMap<State, u32> {
    let mut values = BTreeMap::new();
    for turns in 1.. {
        let is_near = |state: &&State| {
            let mut steps = state.steps().into_iter();
            steps.any(|(_, next, is_caught)| is_caught || values.contains_key(&next))
        };
        let unknown = states.iter().filter(|state| !values.contains_key(*state));
        let found: Vec<State> = unknown.filter(is_near).copied().collect();
        if found.is_empty() {
            break;
        }
        values.extend(found.into_iter().map(|state| (state, turns)));
    }
    values
}

/// Returns the fewest labels of a plan with the fewest turns, the number of plans that have so few, and the number of
/// such plans in all.
fn plans(state: State, values: &BTreeMap<State, u32>) -> (u32, u64, u64) {
    let turns = values[&state];
    let (mut labels, mut fewest, mut all) = (u32::MAX, 0, 0);
    for (choices, next, is_caught) in state.steps() {
        let rest = if is_caught {
            (turns == 1).then_some((0, 1, 1))
        } else {
            let is_best = values.get(&next) == Some(&(turns - 1));
            is_best.then(|| plans(next, values))
        };
        let Some((rest, plans, all_plans)) = rest else {
            continue;
        };
        let waits = choices.iter().filter(|it| it.command() == "wait").count();
        let own = rest + 2 - waits as u32;
        all += all_plans;
        if own < labels {
            (labels, fewest) = (own, 0);
        }
        if own == labels {
            fewest += plans;
        }
    }
    (labels, fewest, all)
}

#[test]
fn the_proven_optima_are_those_of_the_model() {
    let mut found = Vec::new();
    for (name, open) in STARTS {
        let first = start(open);
        let values = values(&reachable(first));
        let (labels, fewest, all) = plans(first, &values);
        let task = compile("collab-capture", &problem("collab-capture", name), false);
        let turns = values[&first];
        let expected = format!("makespan {turns}, labels {labels}, plans {fewest}, references ");
        let optimum = optimum(&task);
        assert!(optimum.starts_with(&expected), "{optimum}");
        found.push((name, turns, fewest, all));
    }
    let expected = [
        ("door3-open", 3, 1, 19),
        ("door1-open", 2, 2, 45),
        ("both-open", 2, 1, 21),
        ("both-closed", 3, 1, 6),
    ];
    assert_eq!(found, expected);
}

#[test]
fn the_thief_can_be_caught_from_every_state_in_at_most_five_turns() {
    let mut found = Vec::new();
    for (name, open) in STARTS {
        let states = reachable(start(open));
        let values = values(&states);
        assert_eq!(values.len(), states.len(), "{name}");
        found.push((states.len(), values.values().max().copied().unwrap()));
    }
    assert_eq!(found, [(1637, 5); 4]);
}

#[test]
fn every_bundled_problem_is_compared() {
    let files = files(&root().join("problems/collab-capture"));
    let mut compared = STARTS.map(|(name, _)| name);
    compared.sort_unstable();
    assert_eq!(
        files.iter().map(|path| stem(path)).collect::<Vec<_>>(),
        compared
    );
}
