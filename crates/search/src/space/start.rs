//! The start of plans.

use brigade_task::{PackedTask, State};

/// The start of plans: a state, and in the middle of a step of sequential turns the agent to
/// choose.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The state; with `agent` > 0 the one that the agents before it have left.
    pub state: &'a State,
    /// The agent who chooses next. Other than 0 in the middle of a step of sequential turns only.
    pub agent: usize,
}

impl<'t> Start<'t> {
    /// The initial state of a task.
    pub fn initial(task: &'t PackedTask) -> Self {
        Self {
            state: &task.initial,
            agent: 0,
        }
    }
}
