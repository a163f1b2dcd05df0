//! What a state is to a plan.

use brigade_task::Task;
use brigade_task::step::Status;

/// What a state is to a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It goes on.
    Open,
    /// It ends here.
    Final,
    /// It cannot be part of one.
    Dead,
}

/// What a state after a tick is to a plan. A task without a goal ends at its horizon.
pub(super) fn standing(task: &Task, state: &[u64]) -> Standing {
    match task.status(state) {
        Status::Running => Standing::Open,
        Status::Goal => Standing::Final,
        Status::Ended if task.goal.is_none() => Standing::Final,
        Status::Ended | Status::Failed => Standing::Dead,
    }
}

/// The same of a state in which the task's goal is known not to hold.
pub(super) fn standing_of_unfinished(task: &Task, state: &[u64]) -> Standing {
    if task.is_over_without_goal(state) {
        Standing::Dead
    } else {
        Standing::Open
    }
}
