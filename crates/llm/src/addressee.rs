//! The addressee of a question: the name of the model at the server, and the fields that it wants in the body of every
//! request beside the question.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A model, as its server wants to be asked for it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Addressee {
    /// The name of the model at the server.
    pub model: String,
    max_tokens_field: MaxTokensField,
    extra_body: Map<String, Value>,
    omitted: Vec<Omitted>,
}

/// A part of a request that a server may refuse, and that can be left out of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Omitted {
    /// The seed of the draw.
    Seed,
    /// The temperature.
    Temperature,
    /// The share of probability that is drawn from.
    TopP,
    /// The most tokens of an answer.
    MaxTokens,
    /// The most tokens of an answer, by its other name.
    MaxCompletionTokens,
    /// That the tool must be called.
    ToolChoice,
}

impl Omitted {
    /// The name of the field.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Seed => "seed",
            Self::Temperature => "temperature",
            Self::TopP => "top_p",
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
            Self::ToolChoice => "tool_choice",
        }
    }
}

/// The request field in which a server takes the limit on output tokens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokensField {
    /// As most do.
    #[default]
    MaxTokens,
    /// As hosted models do that reason: their reasoning counts too.
    MaxCompletionTokens,
}

impl MaxTokensField {
    /// The name of the field.
    const fn name(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }
}

/// A field of the body that is not for a user to add.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{field}` cannot be among the further fields of a request: {why}")]
pub struct ExtraBodyError {
    field: String,
    why: &'static str,
}

impl Addressee {
    /// A model that wants nothing more.
    pub fn new(model: impl Into<String>) -> Self {
        Self {
            model: model.into(),
            ..Self::default()
        }
    }

    /// The model, where the most tokens of an answer are called so.
    #[must_use]
    pub fn with_max_tokens_field(self, max_tokens_field: MaxTokensField) -> Self {
        Self {
            max_tokens_field,
            ..self
        }
    }

    /// The model with further fields in every request, such as `reasoning_effort`.
    ///
    /// # Errors
    ///
    /// One of them is set by Brigade itself, or changes what an answer is.
    pub fn with_extra_body(self, extra_body: Map<String, Value>) -> Result<Self, ExtraBodyError> {
        let taken = extra_body
            .keys()
            .find_map(|field| Some((field.clone(), whose(field)?)));
        match taken {
            Some((field, why)) => Err(ExtraBodyError { field, why }),
            None => Ok(Self { extra_body, ..self }),
        }
    }

    /// The model, asked without these parts of a request.
    #[must_use]
    pub fn without(self, omitted: Vec<Omitted>) -> Self {
        Self { omitted, ..self }
    }

    /// Returns whether a field is left out of every request.
    pub(super) fn omits(&self, field: &str) -> bool {
        self.omitted.iter().any(|omitted| omitted.field() == field)
    }

    /// Returns the name of the request field for the limit on output tokens.
    pub(super) const fn max_tokens_field(&self) -> &'static str {
        self.max_tokens_field.name()
    }

    /// The further fields of every request.
    pub(super) const fn extra_body(&self) -> &Map<String, Value> {
        &self.extra_body
    }
}

impl From<&str> for Addressee {
    fn from(model: &str) -> Self {
        Self::new(model)
    }
}

/// Returns the reason why a field is not for a user to add; `None` if it is.
fn whose(field: &str) -> Option<&'static str> {
    Some(match field {
        "model" => "it is `model`",
        "messages" => "they are the question",
        "temperature" => "it is `temperature`",
        "top_p" => "it is `top-p`",
        "seed" => "each question has its own, or none where it is one of `omit`",
        "max_tokens" | "max_completion_tokens" => {
            "it is `max-tokens`, and `max-tokens-field` is its name"
        }
        "response_format" | "grammar" | "tools" | "tool_choice" | "logprobs" | "top_logprobs" => {
            "`action-format` decides on it"
        }
        "n" | "stream" | "stream_options" => "one answer is read, as a whole",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(extra: Value) -> Result<Addressee, String> {
        let Value::Object(extra) = extra else {
            panic!("{extra}");
        };
        let addressee = Addressee::new("m").with_extra_body(extra);
        addressee.map_err(|error| error.to_string())
    }

    #[test]
    fn fields_that_a_server_knows_may_be_added() {
        let extra = json!({"reasoning_effort": "low", "provider": {"order": ["a"]}, "top_k": 40});
        let addressee = with(extra.clone()).unwrap();
        assert_eq!(Value::Object(addressee.extra_body().clone()), extra);
    }

    #[test]
    fn fields_that_are_set_otherwise_are_refused_with_their_place() {
        for (field, place) in [
            ("model", "`model`"),
            ("seed", "`omit`"),
            ("top_p", "`top-p`"),
            ("max_completion_tokens", "`max-tokens-field`"),
            ("tools", "`action-format`"),
            ("stream", "as a whole"),
        ] {
            let error = with(json!({ field: 1 })).unwrap_err();
            assert!(error.contains(field) && error.contains(place), "{error}");
        }
    }
}
