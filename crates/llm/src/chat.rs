//! Defines the questions to a chat model and its answers: data only.
//!
//! The wire format is the chat completions API of `OpenAI`, as far as other servers speak it too. A field that a caller
//! leaves unset is not sent: "not set" and "set to none" are different requests.

pub use brigade_play::episode::Usage;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::addressee::Addressee;
use brigade_search::StopReason;

/// The role of a speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The instructions.
    System,
    /// The harness.
    User,
    /// The model.
    Assistant,
}

/// One message of a chat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChatMessage {
    /// The role of the speaker.
    pub role: Role,
    /// The text.
    pub content: String,
}

/// The sampling parameters of an answer; the server decides those that are `None`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sampling {
    /// The temperature.
    pub temperature: Option<f64>,
    /// The share of probability that is drawn from.
    pub top_p: Option<f64>,
    /// The seed of the draw.
    pub seed: Option<u64>,
    /// The most tokens of an answer.
    pub max_tokens: Option<u32>,
}

/// The constraint on the form of the answer that the server receives.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// Nothing.
    Free,
    /// An object that fits this JSON schema (`response_format`).
    JsonSchema(Value),
    /// A text that this grammar derives (GBNF, as llama.cpp reads it).
    Grammar(String),
    /// A call of the one tool `name`, with arguments that fit this JSON schema.
    Tool {
        /// Its name.
        name: String,
        /// The purpose of the tool, for the model.
        description: String,
        /// The schema of its arguments.
        parameters: Value,
    },
    /// One token, with the probabilities of the likeliest ones (`top_logprobs`). Where the server reads grammars the
    /// request may also say which tokens may follow.
    Logprobs {
        /// The number of the likeliest tokens that are requested.
        top: u8,
    },
}

/// One question to a model.
#[derive(Clone, Debug, PartialEq)]
pub struct ChatRequest {
    /// The chat so far.
    pub messages: Vec<ChatMessage>,
    /// The sampling parameters of the answer.
    pub sampling: Sampling,
    /// The form of the answer.
    pub constraint: Constraint,
}

impl ChatRequest {
    /// The request body, as it is sent to `addressee`.
    pub fn body(&self, addressee: &Addressee) -> Value {
        let mut body = Map::new();
        body.insert("model".to_owned(), json!(addressee.model));
        body.insert("messages".to_owned(), json!(self.messages));
        let Sampling {
            temperature,
            top_p,
            seed,
            max_tokens,
        } = self.sampling;
        let mut set = |key: &str, value: Option<Value>| {
            if let Some(value) = value {
                body.insert(key.to_owned(), value);
            }
        };
        set("temperature", temperature.map(Value::from));
        set("top_p", top_p.map(Value::from));
        set("seed", seed.map(Value::from));
        set(addressee.max_tokens_field(), max_tokens.map(Value::from));
        match &self.constraint {
            Constraint::Free => {}
            Constraint::JsonSchema(schema) => set(
                "response_format",
                Some(json!({
                    "type": "json_schema",
                    "json_schema": { "name": "answer", "strict": true, "schema": schema },
                })),
            ),
            Constraint::Grammar(grammar) => set("grammar", Some(json!(grammar))),
            Constraint::Tool {
                name,
                description,
                parameters,
            } => {
                set(
                    "tools",
                    Some(json!([{
                        "type": "function",
                        "function": {
                            "name": name, "description": description, "parameters": parameters,
                        },
                    }])),
                );
                set(
                    "tool_choice",
                    Some(json!({ "type": "function", "function": { "name": name } })),
                );
            }
            Constraint::Logprobs { top } => {
                set("logprobs", Some(json!(true)));
                set("top_logprobs", Some(json!(top)));
            }
        }
        for (key, value) in addressee.extra_body() {
            set(key, Some(value.clone()));
        }
        body.retain(|key, _| !addressee.omits(key));
        Value::Object(body)
    }

    /// The tool that is to be called, if one is.
    pub(super) fn tool(&self) -> Option<&str> {
        match &self.constraint {
            Constraint::Tool { name, .. } => Some(name),
            _ => None,
        }
    }
}

/// The reason why an answer ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Finish {
    /// The model was done.
    Stop,
    /// It met the limit of tokens.
    Length,
    /// Anything else, as the server calls it; `None` where it says nothing.
    Other(Option<String>),
}

impl Default for Finish {
    /// Nothing is said.
    fn default() -> Self {
        Self::Other(None)
    }
}

/// The answer of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Completion {
    /// The text; empty where it called a tool only.
    pub text: String,
    /// The reasoning, where the server returns it apart from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<String>,
    /// The arguments, as JSON text, of the call of the tool; the first where it made several.
    pub tool_arguments: Option<String>,
    /// The tool that it called in place of the one that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_tool: Option<String>,
    /// The likeliest first tokens with the logarithm of their probability, the likeliest first.
    pub first_tokens: Vec<(String, f64)>,
    /// The reason why it ended.
    pub finish: Finish,
    /// The reason, as it says, why the provider's filter let no answer come about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// The tokens of all tries that the server has counted; `None` if it counts none.
    pub usage: Option<Usage>,
    /// The number of times that the question was sent; more than once where the server failed at first.
    pub tries: u32,
    /// The model, as the answer names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The server's fingerprint of its configuration (`system_fingerprint`): where it changes, so may answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fingerprint: Option<String>,
}

/// The number of one of several answers to one and the same question. It is part of the key under which an answer is
/// kept, so that a repetition is not a copy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Take {
    /// The seed of the episode.
    pub seed: u64,
    /// The repetition of the episode, from 1.
    pub epoch: u32,
    /// The number of times that the very question was put in the episode before.
    pub nth: u32,
}

/// The reason why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChatError {
    /// The question is longer than the model can read: that is the doing of whoever puts it, and no
    /// outage.
    #[error("the server refuses the request ({status}): {message}")]
    TooLong {
        /// The HTTP status.
        status: u16,
        /// The server's words, shortened.
        message: String,
    },
    /// The request cannot be answered as it is configured, nor can others.
    #[error("the server refuses the request ({status}): {message}")]
    Configuration {
        /// The HTTP status.
        status: u16,
        /// The server's words, shortened.
        message: String,
        /// Advice.
        advice: String,
    },
    /// There was no answer after all tries.
    #[error("{0}")]
    Infrastructure(String),
    /// The run was stopped, or its time is over.
    #[error("{}", stopped(*.0))]
    Stopped(StopReason),
    /// The budget of tokens or cost of the run is spent.
    #[error("{0}")]
    Budget(String),
}

impl ChatError {
    /// The error, and what to do about it.
    pub fn with_advice(&self) -> String {
        match self {
            Self::Configuration { advice, .. } => {
                let text = self.to_string();
                format!("{}; {advice}", text.trim_end_matches('.'))
            }
            other => other.to_string(),
        }
    }
}

/// A question without an answer: the reason, and the tokens and tries that it took all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct NoAnswer {
    /// The reason.
    pub error: ChatError,
    /// The tokens of all tries that the server has counted.
    pub usage: Option<Usage>,
    /// The number of times that the question was sent.
    pub tries: u32,
}

impl From<ChatError> for NoAnswer {
    /// Nothing was sent.
    fn from(error: ChatError) -> Self {
        Self {
            error,
            usage: None,
            tries: 0,
        }
    }
}

/// A search is not what was interrupted here.
fn stopped(reason: StopReason) -> String {
    match reason {
        StopReason::Interrupted => "the run was interrupted".to_owned(),
        reason => reason.to_string(),
    }
}

/// A model that answers questions. One is shared by all episodes of a run.
pub trait Chat: Send + Sync {
    /// Answers one question; waits as long as that takes.
    fn complete(&self, request: &ChatRequest, take: Take) -> Result<Completion, NoAnswer>;

    /// Returns the name of the model in logs.
    fn name(&self) -> &str;

    /// The body that [`Chat::complete`] sends for a question.
    fn body(&self, request: &ChatRequest) -> Value;
}
