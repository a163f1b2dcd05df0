//! A model as a bench file or a command line describes it: where it is, how it is asked.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::fields::json_fields;
use crate::cli::endpoint::is_variable;
use crate::cli::exit::{Failure, Result};
use crate::llm::Asking;
use crate::llm::addressee::{Addressee, MaxTokensField, Omitted};
use crate::llm::chat::Sampling;
use crate::llm::form::ActionFormat;
use crate::llm::mock::Mock;

/// A model behind an endpoint, and how it is asked.
#[expect(
    clippy::struct_field_names,
    reason = "the keys of the file, `model` among them"
)]
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(in crate::cli) struct Model {
    /// The base URL of the server: with or without `/chat/completions`; or [`Mock::BASE_URL`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) base_url: Option<String>,
    /// The name at its server; by default that of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) model: Option<String>,
    /// The environment variable that holds the key.
    #[serde(default = "key_variable")]
    pub(in crate::cli) api_key_env: String,
    /// Headers that are sent, and the environment variables that hold their values.
    #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
    pub(in crate::cli) header_env: IndexMap<String, String>,
    /// See [`Sampling`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) temperature: Option<f64>,
    /// See [`Sampling`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) top_p: Option<f64>,
    /// See [`Sampling`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) max_tokens: Option<u32>,
    /// The request field of its server for the limit on output tokens.
    #[serde(default, skip_serializing_if = "is_default")]
    pub(in crate::cli) max_tokens_field: MaxTokensField,
    /// Further fields of every request.
    #[serde(
        default,
        skip_serializing_if = "Map::is_empty",
        deserialize_with = "json_fields"
    )]
    pub(in crate::cli) extra_body: Map<String, Value>,
    /// The fields left out of every request, because its server refuses them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(in crate::cli) omit: Vec<Omitted>,
    /// True where each question is sent with a seed of its own: `false` is the older way to omit it.
    #[serde(default = "yes")]
    pub(in crate::cli) seeded: bool,
    /// The format in which it chooses actions.
    #[serde(default)]
    pub(in crate::cli) action_format: FormatChoice,
    /// The parser that decides what counts as an action.
    #[serde(default)]
    pub(in crate::cli) parse: Parse,
    /// True if possible actions are listed in an order drawn anew for each decision.
    #[serde(default = "yes")]
    pub(in crate::cli) shuffle: bool,
    /// The price of a million tokens; unknown where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) price: Option<Price>,
    /// Seconds that one try may take.
    #[serde(default = "minute")]
    pub(in crate::cli) timeout: u32,
    /// The most retries of a question that the server failed to answer.
    #[serde(default = "retries")]
    pub(in crate::cli) max_retries: u32,
    /// The most requests a minute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) requests_per_minute: Option<u32>,
}

/// The price of a million tokens, in any currency.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(in crate::cli) struct Price {
    /// Of questions.
    pub(in crate::cli) input: f64,
    /// Of answers.
    pub(in crate::cli) output: f64,
    /// Of what the server has read before; as other questions where it is not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(in crate::cli) cached: Option<f64>,
}

/// A way to choose actions, or the best that the endpoint can do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(in crate::cli) enum FormatChoice {
    /// The best that the endpoint can do: it is tried first.
    #[default]
    Auto,
    /// Lines such as `Action: ...`.
    Text,
    /// A JSON object under a schema.
    Json,
    /// Lines under a grammar.
    Grammar,
    /// The call of a tool.
    Tool,
    /// The likeliest letter.
    Logprobs,
}

impl FormatChoice {
    /// The format, if it is given.
    pub(in crate::cli) const fn given(self) -> Option<ActionFormat> {
        match self {
            Self::Auto => None,
            Self::Text => Some(ActionFormat::Text),
            Self::Json => Some(ActionFormat::Json),
            Self::Grammar => Some(ActionFormat::Grammar),
            Self::Tool => Some(ActionFormat::Tool),
            Self::Logprobs => Some(ActionFormat::Logprobs),
        }
    }
}

/// The reader of actions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(in crate::cli) enum Parse {
    /// An action has its form to the letter.
    #[default]
    Strict,
    /// An action is what a well-meaning reader finds.
    Lenient,
}

impl Model {
    /// A model of which nothing is said but where its key is.
    pub(super) fn new(api_key_env: &str) -> Self {
        Self {
            base_url: None,
            model: None,
            api_key_env: api_key_env.to_owned(),
            header_env: IndexMap::new(),
            temperature: None,
            top_p: None,
            max_tokens: None,
            max_tokens_field: MaxTokensField::default(),
            extra_body: Map::new(),
            omit: Vec::new(),
            seeded: yes(),
            action_format: FormatChoice::default(),
            parse: Parse::default(),
            shuffle: yes(),
            price: None,
            timeout: minute(),
            max_retries: retries(),
            requests_per_minute: None,
        }
    }

    /// Returns true if it is the mock model, which needs no server.
    pub(super) fn is_mock(&self) -> bool {
        self.base_url.as_deref() == Some(Mock::BASE_URL)
    }

    /// The model, as it is to be asked for; `name` is what the file calls it.
    pub(in crate::cli) fn addressee(&self, name: &str) -> Result<Addressee> {
        let addressee = Addressee::new(self.model.as_deref().unwrap_or(name))
            .with_max_tokens_field(self.max_tokens_field)
            .without(self.omit.clone())
            .with_extra_body(self.extra_body.clone());
        addressee.map_err(|error| {
            Failure::usage(
                format!("model `{name}`: {error}"),
                format!("leave it out of `extra-body` under `[models.{name}]`"),
            )
        })
    }

    /// Returns the sampling parameters of answers; the seed is set for each question.
    const fn sampling(&self) -> Sampling {
        Sampling {
            temperature: self.temperature,
            top_p: self.top_p,
            seed: None,
            max_tokens: self.max_tokens,
        }
    }

    /// Returns the options by which it is asked, where actions have this format.
    pub(in crate::cli) fn asking(&self, format: ActionFormat) -> Asking {
        Asking {
            format,
            lenient: self.parse == Parse::Lenient,
            sampling: self.sampling(),
            seeded: self.seeded,
            shuffled: self.shuffle,
        }
    }

    /// Says which of its values cannot be.
    pub(in crate::cli) fn check(&self) -> std::result::Result<(), String> {
        for (key, value, is_sound, range) in [
            (
                "temperature",
                self.temperature,
                (|t| t >= 0.0) as fn(f64) -> bool,
                "0 or more",
            ),
            (
                "top-p",
                self.top_p,
                |p| p > 0.0 && p <= 1.0,
                "more than 0 and 1 at most",
            ),
        ] {
            if let Some(value) = value.filter(|value| !value.is_finite() || !is_sound(*value)) {
                return Err(format!("`{key}` is to be {range}, not {value}"));
            }
        }
        for (key, value) in [
            ("max-tokens", self.max_tokens),
            ("timeout", Some(self.timeout)),
            ("requests-per-minute", self.requests_per_minute),
        ] {
            if value == Some(0) {
                return Err(format!("`{key}` is to be 1 or more, not 0"));
            }
        }
        let mut variables = self.header_env.values().chain([&self.api_key_env]);
        if !variables.all(|variable| is_variable(variable)) {
            return Err(
                "`api-key-env` and `header-env` take the names of environment variables, not what \
                 these hold"
                    .to_owned(),
            );
        }
        let price = self.price.iter();
        let mut amounts =
            price.flat_map(|price| [Some(price.input), Some(price.output), price.cached]);
        let is_amount = |amount: &f64| amount.is_finite() && *amount >= 0.0;
        if let Some(amount) = amounts.by_ref().flatten().find(|amount| !is_amount(amount)) {
            return Err(format!("a `price` is to be 0 or more, not {amount}"));
        }
        Ok(())
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn key_variable() -> String {
    "OPENAI_API_KEY".to_owned()
}

const fn yes() -> bool {
    true
}

const fn minute() -> u32 {
    60
}

const fn retries() -> u32 {
    5
}
