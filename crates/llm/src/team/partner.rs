//! Partners in conversations who ask no model: people.

use std::fmt;

use super::super::prompts::Utterance;
use brigade_play::agents::PolicyError;
use brigade_task::{PackedTask, State};

/// The occasion on which a partner is asked for an answer.
#[derive(Clone, Copy, Debug)]
pub struct Occasion<'o> {
    /// The task, as its agents know it.
    pub task: &'o PackedTask,
    /// The state.
    pub state: &'o State,
    /// Ticks that have passed.
    pub tick: u32,
    /// The agent of the partner.
    pub agent: usize,
    /// The conversation so far.
    pub dialog: &'o [Utterance],
}

/// Takes part in conversations for an agent.
pub trait Partner {
    /// The answer; `None` ends the conversation.
    ///
    /// # Errors
    ///
    /// The partner leaves, or the run is stopped.
    fn answer(&mut self, occasion: &Occasion<'_>) -> Result<Option<String>, PolicyError>;
}

/// By agent: the partner who talks for it, if it asks no model.
pub(super) struct Partners<'a>(pub(super) Vec<Option<Box<dyn Partner + 'a>>>);

impl fmt::Debug for Partners<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Partners")
    }
}
