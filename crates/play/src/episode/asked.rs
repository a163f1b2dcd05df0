//! Defines the log entries of agents that ask a model: every question, and its outcome.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::usage::Usage;

/// A question to a model, and its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent; empty where one mind decides for all.
    pub agent: String,
    /// The module that asked: `reasoner`, `verifier`, `communicator`, `theory-of-mind`,
    /// `reflection`; of a person `person`, and `hint` for the planner's.
    pub module: String,
    /// The model, as the run calls it.
    pub model: String,
    /// The request body as it was sent: what is not in it was not set.
    pub request: Value,
    /// The number of times that the very request was made before in the episode.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub nth: u32,
    /// The text of the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The reasoning, where the server returns it apart from the answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The arguments of the tool that was called, as JSON text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
    /// The reason why the answer ended, as the server says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// The tokens, where the server counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The number of times that the request was sent.
    pub tries: u32,
    /// The model, as the answer names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<String>,
    /// The server's fingerprint of its configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
    /// The format that was asked for; absent where the answer is a text of any kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// True if the answer had its form to the letter; absent where it was to have none, or there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strict: Option<bool>,
    /// True if a lenient reader found in it the parts that were asked for; absent likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lenient: Option<bool>,
    /// The reason why there is no answer, or why the provider's filter held it back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// The outcome of asking the model of an agent in a timestep.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Decided {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agent.
    pub agent: String,
    /// The final outcome.
    pub outcome: Outcome,
    /// The number of commands that it tried, this outcome's included.
    pub attempts: u32,
    /// The number of questions that were put for it; none where it goes on with a plan.
    pub calls: u32,
}

/// The outcome of a step of an agent. An outage is not play: see [`Outcome::InfraError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The action was carried out.
    Ok,
    /// No action could be read from the answer.
    Unparseable,
    /// An action was read, and was not possible.
    IllegalAction,
    /// The answer was cut off at the limit of tokens, and no action could be read from it; or the
    /// question was longer than the model can read.
    Truncated,
    /// A filter of the provider held the question or the answer back.
    Filtered,
    /// There was no answer: the server failed or refused the request.
    InfraError,
}

impl Outcome {
    /// All of them, in the order in which they are reported.
    pub const ALL: [Self; 6] = [
        Self::Ok,
        Self::Unparseable,
        Self::IllegalAction,
        Self::Truncated,
        Self::Filtered,
        Self::InfraError,
    ];

    /// Its name in logs and summaries.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Unparseable => "unparseable",
            Self::IllegalAction => "illegal_action",
            Self::Truncated => "truncated",
            Self::Filtered => "filtered",
            Self::InfraError => "infra_error",
        }
    }
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde's skip_serializing_if asks for"
)]
const fn is_zero(count: &u32) -> bool {
    *count == 0
}
