//! A line of a recording: a question and its answer.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::chat::{ChatError, Completion, NoAnswer, Take, Usage};
use crate::response::judge_refusal;

/// An answer that would be the same again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// The model has answered, or a filter has.
    Completion(Completion),
    /// The question is longer than the model can read.
    TooLong {
        /// The HTTP status.
        status: u16,
        /// The server's words.
        message: String,
        /// The tokens that it has counted all the same.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        usage: Option<Usage>,
        /// The number of times that the question was sent.
        tries: u32,
    },
    /// The server has refused the question: an older form, in which why is found out by what it says.
    Refused {
        /// The HTTP status.
        status: u16,
        /// The message of the error.
        message: String,
    },
}

impl Answer {
    /// Returns the part of a result that is worth recording: not a failure that may pass, because a server was down, a
    /// budget spent or a key wrong.
    pub fn of(result: &Result<Completion, NoAnswer>) -> Option<Self> {
        match result {
            Ok(completion) => Some(Self::Completion(completion.clone())),
            Err(NoAnswer {
                error: ChatError::TooLong { status, message },
                usage,
                tries,
            }) => Some(Self::TooLong {
                status: *status,
                message: message.clone(),
                usage: *usage,
                tries: *tries,
            }),
            Err(_) => None,
        }
    }

    /// The result that it was made of.
    pub fn result(self) -> Result<Completion, NoAnswer> {
        match self {
            Self::Completion(completion) => Ok(completion),
            Self::TooLong {
                status,
                message,
                usage,
                tries,
            } => Err(NoAnswer {
                error: ChatError::TooLong { status, message },
                usage,
                tries,
            }),
            Self::Refused { status, message } => Ok(judge_refusal(status, &message).answer()?),
        }
    }
}

/// A line of a recording.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) key: String,
    pub(super) take: Take,
    pub(super) request: Value,
    pub(super) answer: Answer,
}

impl Line {
    /// With the line break that makes it whole.
    pub(super) fn text(&self) -> Result<String, serde_json::Error> {
        let mut text = serde_json::to_string(self)?;
        text.push('\n');
        Ok(text)
    }
}
