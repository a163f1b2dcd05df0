//! The run loop of agents acting on a task, and its event log.
//!
//! The referee ([`Episode`]) asks policies for commands, understands them ([`Lexicon`]), refuses
//! what the rules do not allow ([`Refusal`]), steps the task, and gives every [`Event`] to a
//! [`Sink`]. A log that was read back ([`Log`]) can be gone on with ([`Episode::resume`]) and checked
//! against the task ([`Episode::verify`]).
//! [`play_eagerly`] plays given commands without policies.

mod asked;
mod asking;
mod command;
mod eager;
mod event;
mod halt;
mod log;
mod referee;
mod refusal;
mod resume;
mod rules;
mod sink;
mod state;
mod usage;

#[cfg(test)]
mod tests;

pub use asked::{Call, Decided, Outcome};
pub(crate) use command::labels;
pub use command::{Command, Lexicon, admit, display};
pub use eager::{Played, play_eagerly};
pub use event::{
    Chosen, Consequence, End, EndReason, Evaluated, Event, Header, Labelled, Player, Refused,
    Requested, Responded, Resumed, SCHEMA, Said, Settings, StatusName, Step,
};
pub use log::{Log, LogError, LogReader};
pub use refusal::{Refusal, Rule};
pub use resume::{Mismatch, check_schema, joint_action};
pub use rules::{OnInvalid, Rules};
pub use sink::Sink;
pub use state::Episode;
pub use usage::Usage;
