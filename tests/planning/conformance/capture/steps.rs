//! Steps of the domain and of the model, side by side.

use std::collections::{BTreeMap, BTreeSet};

use brigade::task::step::Status;
use brigade::task::{self, PackedTask, StateBuf};

use super::model::{Choice, State, start};
use crate::common::split_mix::Random;
use crate::conformance::game::{commands, compile, facts_but, play, problem};

/// The bundled problems, with the doors that are open.
pub(super) const STARTS: [(&str, [bool; 2]); 4] = [
    ("door3-open", [false, true]),
    ("door1-open", [true, false]),
    ("both-open", [true, true]),
    ("both-closed", [false, false]),
];

/// The predicates that follow from the rest of a state, or are reset in every turn.
const OWN: [&str; 3] = ["leads", "closed", "presses"];

/// Plays one step, and compares what comes of it.
fn compare(
    task: &PackedTask,
    state: &task::State,
    choices: [Choice; 2],
    next: (State, bool),
) -> StateBuf {
    let mut after = state.to_owned();
    let names = choices.map(Choice::command);
    let status = play(task, &mut after, &[&names[0], &names[1]]);
    let (expected, is_caught) = next;
    let seen = facts_but(task, &after, &OWN);
    assert_eq!(seen, expected.facts(is_caught), "after {names:?}");
    assert_eq!(status == Status::Goal, is_caught, "after {names:?}");
    after
}

#[test]
fn every_step_from_every_state_that_can_be_reached_is_that_of_the_model() {
    // States, and steps from them.
    let mut counted = Vec::new();
    for (name, open) in STARTS {
        let text = problem("collab-capture", name).replace("(:horizon 30)", "");
        let task = compile("collab-capture", &text, true);
        let first = start(open);
        assert_eq!(facts_but(&task, &task.initial, &OWN), first.facts(false));
        let mut known = BTreeMap::from([(first, task.initial.clone())]);
        let mut open = vec![first];
        let mut steps = 0;
        while let Some(model) = open.pop() {
            let state = known[&model].clone();
            for player in 0..2 {
                let expected = model.choices(player).into_iter().map(Choice::command);
                let expected: BTreeSet<String> = expected.collect();
                assert_eq!(commands(&task, &state, player), expected, "{model:?}");
            }
            for (choices, next, is_caught) in model.steps() {
                let after = compare(&task, &state, choices, (next, is_caught));
                steps += 1;
                if !is_caught && !known.contains_key(&next) {
                    known.insert(next, after);
                    open.push(next);
                }
            }
        }
        counted.push((known.len(), steps));
    }
    let expected = [
        (1637, 15_334),
        (1637, 15_338),
        (1637, 15_338),
        (1637, 15_334),
    ];
    assert_eq!(counted, expected);
}

#[test]
fn episodes_at_random_end_as_those_of_the_model() {
    let mut random = Random(57);
    let (mut steps, mut caught, mut turns) = (0, 0, 0);
    for (name, open) in STARTS {
        let task = compile("collab-capture", &problem("collab-capture", name), true);
        for _ in 0..500 {
            let (mut model, mut state) = (start(open), task.initial.clone());
            for turn in 1..=30 {
                let all = model.steps();
                let (choices, next, is_caught) = all[random.below(all.len())];
                state = compare(&task, &state, choices, (next, is_caught));
                model = next;
                steps += 1;
                let status = task.status(&state);
                if is_caught {
                    caught += 1;
                    turns += turn;
                    break;
                }
                let expected = if turn < 30 {
                    Status::Running
                } else {
                    Status::Ended
                };
                assert_eq!(status, expected);
            }
        }
    }
    assert_eq!((steps, caught, turns), (29_123, 1599, 17_093));
}
