//! Successors: the states that choices lead to.

use brigade_task::{LogEntry, OperatorId, State};

/// The state that one choice, or one joint choice, leads to.
pub(crate) struct Successor<'a> {
    /// The half-step at which it arrives; 0 if the tick has passed.
    pub half: usize,
    /// True if the tick has passed.
    pub ticked: bool,
    /// The state.
    pub state: &'a State,
    /// The cost recorded.
    pub cost: i64,
    /// The labels recorded.
    pub log: &'a [LogEntry],
    /// The operators that were chosen: one, or one of each agent with simultaneous turns.
    pub operators: &'a [OperatorId],
}
