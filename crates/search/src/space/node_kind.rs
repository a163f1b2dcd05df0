//! Kinds of states: a plan may go on there, ends there, or cannot pass there.

use brigade_task::step::Status;
use brigade_task::{PackedTask, State};

/// The part that a state may play in a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NodeKind {
    /// A plan may go on from it.
    Interior,
    /// A plan ends in it.
    Final,
    /// It cannot be part of a plan.
    DeadEnd,
}

/// The kind of a state after a tick. A task without a goal ends where it says so, or at its
/// horizon.
pub(crate) fn node_kind(task: &PackedTask, state: &State) -> NodeKind {
    match task.status(state) {
        Status::Running => NodeKind::Interior,
        Status::Goal => NodeKind::Final,
        Status::Ended if task.goal.is_none() => NodeKind::Final,
        Status::Ended | Status::Failed => NodeKind::DeadEnd,
    }
}

/// The same of a state in which the task's goal is known not to hold.
pub(crate) fn kind_of_non_goal(task: &PackedTask, state: &State) -> NodeKind {
    if task.is_over_without_goal(state) {
        NodeKind::DeadEnd
    } else {
        NodeKind::Interior
    }
}
