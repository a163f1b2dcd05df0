//! Every state within some steps of the start, by the rules of the task alone.
//!
//! This is what a proof is checked against, so it shares nothing with the planner: no successor
//! generator, no table of states, no order, nothing left out. It asks each operator whether it is
//! applicable and steps the task.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use brigade::search::{Control, StopReason};
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::{PackedTask, State};

/// The result of exhausting the states within some steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// A goal, after this many steps and no fewer.
    Goal(u32),
    /// No goal; so many states.
    NoGoal(u64),
    /// A limit was met.
    Stopped(StopReason),
}

/// States between two questions whether to stop.
const QUESTION_EVERY: usize = 1 << 12;

/// Generates every state that at most `depth` steps lead to, layer by layer, until a goal is among
/// them. At most `most` states are stored. The task must be one in which one agent chooses at a time.
pub fn exhaust(task: &PackedTask, depth: u32, most: usize, control: &dyn Control) -> Exhausted {
    match task.status(&task.initial) {
        Status::Goal => return Exhausted::Goal(0),
        Status::Failed | Status::Ended => return Exhausted::NoGoal(1),
        Status::Running => {}
    }
    let words = task.words;
    let most = most.min(u32::MAX as usize);
    let hasher = FxBuildHasher;
    let mut states: Vec<u64> = task.initial.words().to_vec();
    let mut table: HashTable<u32> = HashTable::new();
    let hash = |state: &State| hasher.hash_one(state);
    table.insert_unique(hash(&task.initial), 0, |_| 0);
    let mut record = Record::default();
    let (mut layer, mut count) = (0..1, 1);
    for steps in 1..=depth {
        let mut goal = false;
        for id in layer.clone() {
            if id % QUESTION_EVERY == 0
                && let Some(reason) = control.stop()
            {
                return Exhausted::Stopped(reason);
            }
            let state = State::from_words(&states[id * words..][..words]).to_owned();
            for operator in task.applicable(&state, task.mover(&state)) {
                let mut next = state.clone();
                record.clear();
                match task.step(&mut next, &[operator], &mut record) {
                    Ok(Status::Running) => {}
                    Ok(Status::Goal) => {
                        goal = true;
                        continue;
                    }
                    Ok(Status::Failed | Status::Ended) | Err(_) => continue,
                }
                let at = |id: u32| State::from_words(&states[id as usize * words..][..words]);
                let hashed = hash(&next);
                if table.find(hashed, |&id| *at(id) == *next).is_some() {
                    continue;
                }
                if count == most {
                    return Exhausted::Stopped(StopReason::States);
                }
                table.insert_unique(hashed, count as u32, |&id| hash(at(id)));
                states.extend_from_slice(next.words());
                count += 1;
            }
        }
        if goal {
            return Exhausted::Goal(steps);
        }
        layer = layer.end..count;
        if layer.is_empty() {
            break;
        }
    }
    Exhausted::NoGoal(count as u64)
}
