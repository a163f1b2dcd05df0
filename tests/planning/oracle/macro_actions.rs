//! Macro actions against `pathfinding`: the ways are ways, and none is shorter.

use std::collections::BTreeMap;

use brigade::agents::idle;
use brigade::macro_actions::macro_actions;
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::{LabelId, OperatorId, PackedTask, State, StateBuf};
use pathfinding::directed::bfs::bfs;

use crate::common::split_mix::Random;
use crate::oracle::compile::compile;

/// A kitchen in which most of what is done is silent.
fn kitchen() -> PackedTask {
    compile(
        include_str!("../../../domains/overcooked-ai.pddl"),
        include_str!("../../../problems/overcooked-ai/coordination_ring-deliver-1.pddl"),
    )
}

/// All but one agent let a timestep pass; the labels of that one.
fn alone(task: &PackedTask, state: &mut State, agent: usize, own: OperatorId) -> Vec<LabelId> {
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
fn states(task: &PackedTask) -> Vec<StateBuf> {
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
                let successors = |(state, done): &(StateBuf, bool)| {
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

/// A cook in the middle of three places, with crates at both ends.
const HALL: &str = "(define (domain hall)
    (:requirements :adl :multi-agent :object-fluents :text)
    (:types cook place food - object)
    (:predicates (next ?a ?b - place) (westward ?a ?b - place) (eastward ?a ?b - place)
      (crate ?p - place ?f - food) (has ?c - cook ?f - food))
    (:functions (at ?c - cook) - place)
    ACTIONS
    (:action take :agent ?c - cook :parameters (?f - food)
      :precondition (crate (at ?c) ?f) :effect (has ?c ?f) :label \"take({?f})\"))";

const GO: &str = "(:action go :agent ?c - cook :parameters (?p - place)
      :precondition (next (at ?c) ?p) :effect (assign (at ?c) ?p) :label none)";

/// The first operator on the way to an onion in the hall, and the steps of the way.
fn first_to_an_onion(actions: &str, places: &str, init: &str) -> (String, u32) {
    let problem = format!(
        "(define (problem p) (:domain hall) (:objects ann - cook {places} - place onion - food)
           (:init (= (at ann) middle) (next middle west) (next west middle)
                  (next middle east) (next east middle) (next east far) (next far east)
                  (westward middle west) (eastward middle east) {init})
           (:goal (has ann onion)))"
    );
    let task = compile(&HALL.replace("ACTIONS", actions), &problem);
    let found = macro_actions(&task, &task.initial, 0);
    assert_eq!(found.len(), 1);
    assert_eq!(task.label(found[0].label), "take(onion)");
    (task.operator(found[0].first).name.clone(), found[0].steps)
}

#[test]
fn of_two_crates_the_nearer_one_is_meant_however_they_are_declared() {
    let init = "(crate west onion) (crate far onion)";
    for places in ["far middle east west", "west east middle far"] {
        let expected = ("go ann west".to_owned(), 2);
        assert_eq!(first_to_an_onion(GO, places, init), expected, "{places}");
    }
}

#[test]
fn of_two_crates_as_near_the_one_to_which_objects_declared_first_lead_is_meant() {
    let init = "(crate west onion) (crate east onion)";
    for (places, first) in [
        ("west middle east far", "go ann west"),
        ("middle far east west", "go ann east"),
    ] {
        let expected = (first.to_owned(), 2);
        assert_eq!(first_to_an_onion(GO, places, init), expected, "{places}");
    }
}

#[test]
fn of_two_crates_as_near_the_one_to_which_the_action_declared_first_leads_is_meant() {
    let [east, west] = ["eastward", "westward"].map(|to| {
        format!(
            "(:action go-{to} :agent ?c - cook :parameters (?p - place)
               :precondition ({to} (at ?c) ?p) :effect (assign (at ?c) ?p) :label none)"
        )
    });
    let init = "(crate west onion) (crate east onion)";
    for (actions, first) in [
        (format!("{east} {west}"), "go-eastward ann east"),
        (format!("{west} {east}"), "go-westward ann west"),
    ] {
        let expected = (first.to_owned(), 2);
        let places = "west middle east far";
        assert_eq!(first_to_an_onion(&actions, places, init), expected);
    }
}
