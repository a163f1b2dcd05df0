//! The options for the rules of an episode.

use clap::{Args, ValueEnum};

use crate::episode::{OnInvalid, Rules};
use crate::task::PackedTask;

/// The rules of an episode.
#[derive(Clone, Copy, Debug, Args)]
pub(super) struct RuleArgs {
    /// The most ticks of the episode [default: the problem's horizon, or 1000]
    #[arg(long, value_name = "TICKS", allow_negative_numbers = true)]
    max_ticks: Option<u32>,

    /// The treatment of an invalid command
    #[arg(long, value_enum, default_value_t, value_name = "RULE")]
    on_invalid: OnInvalidName,

    /// The most times that an agent is asked again in one timestep
    #[arg(
        long,
        value_name = "N",
        default_value_t = 3,
        allow_negative_numbers = true
    )]
    retries: u32,
}

/// See [`OnInvalid`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum OnInvalidName {
    /// The agent gets the reason and is asked again; at last it waits.
    #[default]
    Ask,
    /// The agent waits.
    Wait,
    /// All agents wait.
    DropJoint,
}

impl RuleArgs {
    /// The rules of an episode of a task. `retries` is a limit that must not be cut.
    pub(super) fn rules(self, task: &PackedTask, retries: u32) -> Rules {
        Rules {
            max_ticks: self.max_ticks.or(task.horizon).unwrap_or(1000),
            on_invalid: match self.on_invalid {
                OnInvalidName::Ask => OnInvalid::Ask,
                OnInvalidName::Wait => OnInvalid::Wait,
                OnInvalidName::DropJoint => OnInvalid::DropJoint,
            },
            retries: self.retries.max(retries),
        }
    }
}
