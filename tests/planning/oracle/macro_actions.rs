//! Macro actions against `pathfinding`: the ways are ways, and none is shorter.

use std::collections::BTreeMap;

use brigade::agents::idle;
use brigade::macro_actions::macro_actions;
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::{LabelId, OperatorId, Task};
use pathfinding::directed::bfs::bfs;

use crate::common::split_mix::Random;
use crate::oracle::compile::compile;

/// A kitchen in which most of what is done is silent.
fn kitchen() -> Task {
    compile(
        include_str!("../../../domains/overcooked-ai.pddl"),
        include_str!("../../../problems/overcooked-ai/coordination_ring-deliver-1.pddl"),
    )
}

/// All but one agent let a timestep pass; the labels of that one.
fn alone(task: &Task, state: &mut [u64], agent: usize, own: OperatorId) -> Vec<LabelId> {
    let others = |other| idle(task, task.applicable(state, other)).unwrap();
    let agents = 0..task.agents.len();
    let joint: Vec<OperatorId> = agents
        .map(|other| if other == agent { own } else { others(other) })
        .collect();
    let mut record = Record::default();
    task.step(state, &joint, &mut record).unwrap();
    let log = record.log.iter();
    let own = log.filter(|entry| usize::from(entry.agent) == agent);
    own.map(|entry| entry.label).collect()
}

/// Some states of a random game.
fn states(task: &Task) -> Vec<Vec<u64>> {
    let mut draws = Random(7);
    let mut state = task.initial.clone();
    let mut states = vec![state.clone()];
    while states.len() < 40 && task.status(&state) == Status::Running {
        for _ in 0..5 {
            let agents = 0..task.agents.len();
            let joint: Vec<OperatorId> = agents
                .map(|agent| {
                    let legal: Vec<_> = task.applicable(&state, agent).collect();
                    legal[draws.below(legal.len())]
                })
                .collect();
            task.step(&mut state, &joint, &mut Record::default())
                .unwrap();
        }
        states.push(state.clone());
    }
    states
}

#[test]
fn a_macro_action_is_done_after_as_many_steps_as_it_says_and_not_before() {
    let task = kitchen();
    let mut done = 0;
    for start in states(&task) {
        for wanted in macro_actions(&task, &start, 0) {
            let mut state = start.clone();
            for left in (1..=wanted.steps).rev() {
                let found = macro_actions(&task, &state, 0).into_iter();
                let mut found = found.filter(|it| it.label == wanted.label);
                let next = found.next().expect("still to be done");
                assert_eq!(next.steps, left);
                let labels = alone(&task, &mut state, 0, next.first);
                assert_eq!(labels.contains(&wanted.label), left == 1);
            }
            done += 1;
        }
    }
    assert!(done > 100, "{done} macro actions");
}

#[test]
fn no_way_to_a_label_is_shorter_than_that_of_its_macro_action() {
    let task = kitchen();
    let mut compared = 0;
    for start in states(&task) {
        for agent in 0..task.agents.len() {
            let found = macro_actions(&task, &start, agent).into_iter();
            let found: BTreeMap<LabelId, u32> = found.map(|it| (it.label, it.steps)).collect();
            for (&label, &steps) in &found {
                let successors = |(state, done): &(Vec<u64>, bool)| {
                    let legal: Vec<OperatorId> = task.applicable(state, agent).collect();
                    let running = !done && task.status(state) == Status::Running;
                    let legal = legal.into_iter().filter(move |_| running);
                    let after = legal.filter_map(|operator| {
                        let mut state = state.clone();
                        let labels = alone(&task, &mut state, agent, operator);
                        let done = labels.contains(&label);
                        (done || labels.is_empty()).then_some((state, done))
                    });
                    after.collect::<Vec<_>>()
                };
                let way = bfs(&(start.clone(), false), successors, |(_, done)| *done);
                assert_eq!(way.expect("a way").len() - 1, steps as usize);
                compared += 1;
            }
        }
    }
    assert!(compared > 100, "{compared} ways");
}
