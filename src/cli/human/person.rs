//! The place of a person: what is shown there, and what is answered.

use super::shown::{Entry, Shown};
use crate::agents::PolicyError;
use crate::episode::EndReason;

/// A place where a person decides for an agent.
pub(in crate::cli) trait Person {
    /// Shows what the agent sees at the beginning and after each timestep, before it is asked.
    fn look(&mut self, shown: &Shown);

    /// Adds to what the agent knows of the course of the episode.
    fn tell(&mut self, entry: Entry);

    /// Shows what the agent sees, and waits for an answer.
    fn ask(&mut self, shown: &Shown) -> Result<Reply, PolicyError>;

    /// Shows an agent the hint that was asked for.
    fn hint(&mut self, agent: usize, hint: &str);

    /// Says that the episode has ended.
    fn ended(&mut self, reason: EndReason);
}

/// An answer of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::cli) enum Reply {
    /// The command of the agent that was asked.
    Command(String),
    /// An agent says something.
    Talk(usize, String),
    /// An agent asks for a hint.
    Hint(usize),
}
