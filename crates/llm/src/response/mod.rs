//! One reply of a model server, judged: an answer, what the provider held back, an outage, or a
//! mistake of the configuration.
//!
//! Servers and gateways say the same in many forms; `tests/data/llm/answers` holds a file for each that
//! is known, and `docs/models.md` lists them. Nothing else looks at a status, an error code or a finish
//! reason. Whether the text of an answer is an action is found out afterwards, by its
//! [form](super::form).

mod advice;
mod body;
mod complaint;
mod length;
mod message;
mod refusal;
mod wait;

use std::time::Duration;

use serde_json::Value;

use super::chat::{ChatError, Completion, Finish, Usage};

pub(super) use body::too_large;
pub use body::{Undecodable, decode};

use complaint::Complaint;

/// The number of characters of an answer that an error shows.
const SHOWN: usize = 200;

/// A reply as it came; its body is [decoded](decode).
#[derive(Clone, Copy, Debug)]
pub struct Reply<'a> {
    /// The HTTP status.
    pub status: u16,
    /// The headers.
    pub headers: &'a [(String, String)],
    /// The text of the body.
    pub body: &'a str,
}

impl Reply<'_> {
    /// The first header of that name.
    fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(other, _)| other.eq_ignore_ascii_case(name));
        found.map(|(_, value)| value.as_str())
    }
}

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
        /// Why, shortened.
        why: String,
        /// The wait that it asks for.
        wait: Option<Duration>,
    },
}

impl Judgement {
    /// The same, with what the server says is wrong in other words.
    pub(super) fn map_words(mut self, change: impl Fn(&str) -> String) -> Self {
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
    pub(super) fn answer(self) -> Result<Completion, ChatError> {
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
            Finish::Other(Some(reason)) if message::is_filter(reason) => Class::Filtered,
            Finish::Stop | Finish::Other(_) => Class::Text,
        }
    }

    /// What stands for an answer that the provider's filter held back, for a reason that it says.
    pub(super) fn filtered(why: String) -> Self {
        Self {
            finish: Finish::Other(Some(message::FILTER.to_owned())),
            filter: Some(why),
            ..Self::default()
        }
    }
}

/// Judges a reply to a question that asked for a call of `tool`, if of one; `now` is in seconds since
/// 1970.
pub fn judge(reply: &Reply<'_>, tool: Option<&str>, now: i64) -> Judged {
    let json = body::parse(reply.body);
    let usage = match &json {
        Ok(json) => message::usage(json),
        Err(_) => body::salvaged(reply.body).and_then(|usage| message::usage(&usage)),
    };
    let judgement = match (reply.status, json) {
        (300..=399, _) => redirect(reply),
        (200..=299, Ok(json)) => match Complaint::inside(&json) {
            Some(complaint) => refusal::judge(&complaint, None, reply, now),
            None => message::judge(&json, tool),
        },
        (200..=299, Err(why)) => down(why),
        (status, json) => {
            let complaint = Complaint::of(json.as_ref().ok(), reply);
            refusal::judge(&complaint, Some(status), reply, now)
        }
    };
    // Of what was answered the counts are a part.
    let judgement = match judgement {
        Judgement::Answered(answer) => Judgement::Answered(Completion { usage, ..answer }),
        other => other,
    };
    Judged { judgement, usage }
}

/// Judges a refusal of which only the status and what the server says are known.
pub(super) fn judge_refusal(status: u16, message: &str) -> Judgement {
    let reply = Reply {
        status,
        headers: &[],
        body: message,
    };
    refusal::judge(&Complaint::of(None, &reply), Some(status), &reply, 0)
}

/// The server asks to go elsewhere, where a key was not meant for.
fn redirect(reply: &Reply<'_>) -> Judgement {
    let to = excerpt(reply.header("location").unwrap_or_default());
    Judgement::Misconfigured {
        status: reply.status,
        message: format!("it redirects to `{to}`"),
        advice: "give the base URL of that server".to_owned(),
    }
}

fn down(why: String) -> Judgement {
    Judgement::Down {
        status: None,
        why,
        wait: None,
    }
}

/// A server's complaint, shortened.
pub(super) fn server_message(body: &str) -> String {
    let reply = Reply {
        status: 0,
        headers: &[],
        body,
    };
    let json = body::parse(body).ok();
    excerpt(&Complaint::of(json.as_ref(), &reply).message)
}

/// The beginning of a text, on one line, without what would move a terminal's cursor.
pub(super) fn excerpt(text: &str) -> String {
    let mut shown = String::new();
    let words = text.split(|c: char| c.is_whitespace() || c.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        if !shown.is_empty() {
            shown.push(' ');
        }
        shown.extend(word.chars().take(SHOWN + 1));
        if shown.chars().nth(SHOWN).is_some() {
            return shown.chars().take(SHOWN).chain("…".chars()).collect();
        }
    }
    shown
}

/// A text that is there and not empty.
fn filled(value: &Value) -> Option<String> {
    let text = value.as_str().filter(|text| !text.is_empty());
    text.map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_server_says_is_found_where_it_says_it() {
        for (body, message) in [
            (r#"{"error":{"message":"too long","type":"x"}}"#, "too long"),
            (r#"{"error":"too long"}"#, "too long"),
            (r#"{"message":"too long"}"#, "too long"),
            (r#"{"detail":"too long"}"#, "too long"),
            (r#"[{"error":{"message":"too long"}}]"#, "too long"),
            (r#"{"errors":[{"message":"too long"}]}"#, "too long"),
            (
                r#"{"detail":[{"loc":["body","seed"],"msg":"not permitted"}]}"#,
                "seed: not permitted",
            ),
            ("too\n long ", "too long"),
            (r#"{"why":"too long"}"#, r#"{"why":"too long"}"#),
            ("", "it says nothing more"),
        ] {
            assert_eq!(server_message(body), message, "{body}");
        }
    }
}
