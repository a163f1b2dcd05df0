//! Steps of the domain and of the model, side by side.

use std::collections::{BTreeMap, BTreeSet};

use brigade::task::step::Status;
use brigade::task::{self, PackedTask, StateBuf};

use super::model::{CODE_MAP, Choice, End, KILLER, Map, PROMPT_MAP, State, start};
use crate::common::compiled::{files, root, stem};
use crate::common::split_mix::Random;
use crate::conformance::game::{commands, compile, facts_but, play, problem};

/// The bundled problems, with their houses.
pub(super) const HOUSES: [(&str, Map); 2] = [("code-map", CODE_MAP), ("prompt-map", PROMPT_MAP)];

/// The predicates that follow from the rest of a state, or are reset in every turn.
const OWN: [&str; 4] = ["in-sight", "runs", "open-gate", "tended"];

/// Plays one step, and compares what comes of it.
fn compare(
    task: &PackedTask,
    state: &task::State,
    (choices, prowl): ([Choice; 2], u8),
    next: (State, End),
) -> StateBuf {
    let mut after = state.to_owned();
    let names = choices.map(Choice::command);
    let prowl = format!("prowl room{prowl}");
    let status = play(task, &mut after, &[&names[0], &names[1], &prowl]);
    let (expected, end) = next;
    let place = format!("after {names:?}, {prowl}");
    assert_eq!(facts_but(task, &after, &OWN), expected.facts(), "{place}");
    let ended = match status {
        Status::Failed => End::Lost,
        Status::Goal => End::Won,
        Status::Running | Status::Ended => End::None,
    };
    assert_eq!(ended, end, "{place}");
    after
}

#[test]
fn every_step_from_every_state_that_can_be_reached_is_that_of_the_model() {
    // States, and steps from them.
    let mut counted = Vec::new();
    for (name, map) in HOUSES {
        let text = problem("collab-escape", name).replace("(:horizon 50)", "");
        let task = compile("collab-escape", &text, true);
        let first = start();
        assert_eq!(facts_but(&task, &task.initial, &OWN), first.facts());
        let mut known = BTreeMap::from([(first, task.initial.clone())]);
        let mut open = vec![first];
        let mut steps = 0;
        while let Some(model) = open.pop() {
            let state = known[&model].clone();
            let choices = [0, 1].map(|player| model.choices(&map, player));
            let prowls = model.prowls(&map);
            for (player, choices) in choices.iter().enumerate() {
                let expected = choices.iter().copied().map(Choice::command);
                let expected: BTreeSet<String> = expected.collect();
                assert_eq!(commands(&task, &state, player), expected, "{model:?}");
            }
            let expected = prowls.iter().map(|room| format!("prowl room{room}"));
            let expected: BTreeSet<String> = expected.collect();
            assert_eq!(commands(&task, &state, KILLER), expected, "{model:?}");
            for &alice in &choices[0] {
                for &bob in &choices[1] {
                    for &prowl in &prowls {
                        let next = model.after(&map, [alice, bob], prowl);
                        let after = compare(&task, &state, ([alice, bob], prowl), next);
                        steps += 1;
                        if next.1 == End::None && !known.contains_key(&next.0) {
                            known.insert(next.0, after);
                            open.push(next.0);
                        }
                    }
                }
            }
        }
        counted.push((known.len(), steps));
    }
    assert_eq!(counted, [(3911, 76_191), (3912, 76_207)]);
}

/// The room to which chance sends the killer.
fn drawn(task: &PackedTask, state: &task::State, draw: (u64, u32)) -> u8 {
    let operator = task.draw(state, KILLER, draw).unwrap();
    let (_, room) = task.operator(operator).name.rsplit_once("room").unwrap();
    room.parse().unwrap()
}

#[test]
fn episodes_at_random_end_as_those_of_the_model() {
    let mut random = Random(57);
    let (mut steps, mut lost) = (0, 0);
    for (name, map) in HOUSES {
        let task = compile("collab-escape", &problem("collab-escape", name), true);
        for seed in 0..1000 {
            let (mut model, mut state) = (start(), task.initial.clone());
            for turn in 1..=50 {
                let choices = [0, 1].map(|player| {
                    let all = model.choices(&map, player);
                    all[random.below(all.len())]
                });
                let prowl = drawn(&task, &state, (seed, turn));
                let next = model.after(&map, choices, prowl);
                state = compare(&task, &state, (choices, prowl), next);
                model = next.0;
                steps += 1;
                if next.1 != End::None {
                    lost += usize::from(next.1 == End::Lost);
                    break;
                }
                let is_last = task.status(&state) == Status::Ended;
                assert_eq!(is_last, turn == 50);
            }
        }
    }
    // Such players always lose.
    assert_eq!((steps, lost), (13_872, 2000));
}

#[test]
fn every_bundled_problem_is_compared() {
    let files = files(&root().join("problems/collab-escape"));
    let compared = HOUSES.map(|(name, _)| name);
    let found: Vec<&str> = files.iter().map(|path| stem(path)).collect();
    assert_eq!(found, compared);
}
