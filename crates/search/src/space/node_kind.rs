//! The standing of a state: a plan goes on there, ends there, or does not come there.

use brigade_task::PackedTask;
use brigade_task::step::Status;

/// The standing of a state in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// A plan may go on from it.
    Open,
    /// A plan ends in it.
    Final,
    /// It cannot be part of a plan.
    Dead,
}

/// The standing of a state after a tick. A task without a goal ends where it says so, or at its
/// horizon.
pub(crate) fn standing(task: &PackedTask, state: &[u64]) -> Standing {
    match task.status(state) {
        Status::Running => Standing::Open,
        Status::Goal => Standing::Final,
        Status::Ended if task.goal.is_none() => Standing::Final,
        Status::Ended | Status::Failed => Standing::Dead,
    }
}

/// The same of a state in which the task's goal is known not to hold.
pub(crate) fn standing_of_unfinished(task: &PackedTask, state: &[u64]) -> Standing {
    if task.is_over_without_goal(state) {
        Standing::Dead
    } else {
        Standing::Open
    }
}
