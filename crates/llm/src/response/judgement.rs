//! The judgement of a reply, and its class.

use std::time::Duration;

use super::finish::{FILTER, is_filter};
use crate::chat::{ChatError, Completion, Finish, Usage};

/// The classes of replies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The model has answered to its end, be it nothing.
    Text,
    /// The answer was cut off at the limit of tokens, or the question is longer than the model can read.
    Truncated,
    /// A filter of the provider held the question or the answer back.
    Filtered,
    /// There is no answer: the server failed.
    InfraError,
    /// The request cannot be answered as it is configured.
    ConfigurationError,
}

impl Class {
    /// Its name in files and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Truncated => "truncated",
            Self::Filtered => "filtered",
            Self::InfraError => "infra_error",
            Self::ConfigurationError => "configuration_error",
        }
    }
}

/// The judgement of a reply.
#[expect(
    clippy::large_enum_variant,
    reason = "one a request, and mostly the large one"
)]
#[derive(Clone, Debug, PartialEq)]
pub enum Judgement {
    /// An answer: whole, cut off or filtered, as its [`Finish`] says. Its number of tries is 1.
    Answered(Completion),
    /// The question is longer than the model can read.
    TooLong {
        /// The status that the server means.
        status: u16,
        /// Its words, shortened.
        message: String,
    },
    /// The request cannot be answered as it is configured.
    Misconfigured {
        /// The status that the server means.
        status: u16,
        /// Its words, shortened.
        message: String,
        /// Advice.
        advice: String,
    },
    /// The server fails.
    Down {
        /// The status that it means, where it gives one.
        status: Option<u16>,
        /// The reason, shortened.
        why: String,
        /// The wait that it asks for.
        wait: Option<Duration>,
    },
}

impl Judgement {
    /// That the server fails, without a status or a wait.
    pub(super) const fn down(why: String) -> Self {
        Self::Down {
            status: None,
            why,
            wait: None,
        }
    }

    /// The same, with what the server says is wrong in other words.
    pub(crate) fn map_words(mut self, change: impl Fn(&str) -> String) -> Self {
        let words = match &mut self {
            Self::Answered(answer) => answer.filter.as_mut(),
            Self::TooLong { message, .. } | Self::Misconfigured { message, .. } => Some(message),
            Self::Down { why, .. } => Some(why),
        };
        if let Some(words) = words {
            *words = change(words);
        }
        self
    }

    /// The answer, or why there is none.
    pub(crate) fn answer(self) -> Result<Completion, ChatError> {
        match self {
            Self::Answered(completion) => Ok(completion),
            Self::TooLong { status, message } => Err(ChatError::TooLong { status, message }),
            Self::Misconfigured {
                status,
                message,
                advice,
            } => Err(ChatError::Configuration {
                status,
                message,
                advice,
            }),
            Self::Down { why, .. } => Err(ChatError::Infrastructure(why)),
        }
    }
}

/// A reply, judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// Its judgement.
    pub judgement: Judgement,
    /// The tokens that the server has counted, whatever it comes to.
    pub usage: Option<Usage>,
}

impl Judged {
    /// The class of the reply.
    pub fn class(&self) -> Class {
        match &self.judgement {
            Judgement::Answered(completion) => completion.class(),
            Judgement::TooLong { .. } => Class::Truncated,
            Judgement::Misconfigured { .. } => Class::ConfigurationError,
            Judgement::Down { .. } => Class::InfraError,
        }
    }
}

impl Completion {
    /// The class of the answer.
    pub fn class(&self) -> Class {
        match &self.finish {
            Finish::Length => Class::Truncated,
            Finish::Other(Some(reason)) if is_filter(reason) => Class::Filtered,
            Finish::Stop | Finish::Other(_) => Class::Text,
        }
    }

    /// Returns the judgement that stands for an answer that the provider's filter held back, with the reason.
    pub(super) fn filtered(why: String) -> Self {
        Self {
            finish: Finish::Other(Some(FILTER.to_owned())),
            filter: Some(why),
            ..Self::default()
        }
    }
}
