//! The referee's rules: how long an episode may last, and what becomes of an invalid command.

use serde::{Deserialize, Serialize};

/// The treatment of a malformed or inapplicable command.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum OnInvalid {
    /// It is refused, and the agent asked again, as often as [`Rules::retries`] says; then it waits.
    #[default]
    Ask,
    /// It is dropped: the agent waits.
    Wait,
    /// The whole joint action is dropped: all agents wait.
    DropJoint,
}

/// The rules of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// The episode ends after this many ticks, if not before.
    pub max_ticks: u32,
    /// The treatment of an invalid command.
    pub on_invalid: OnInvalid,
    /// The number of times that an agent is asked again within a timestep.
    pub retries: u32,
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            max_ticks: 1000,
            on_invalid: OnInvalid::Ask,
            retries: 3,
        }
    }
}
