//! The options of commands that ask a model: which one, and with which key.

use std::path::Path;

use clap::Args;
use indexmap::IndexMap;
use serde_json::{Map, Value};

use super::exit::{Failure, Result};
use super::files;
use crate::llm::addressee::{Addressee, MaxTokensField, Omitted};
use crate::llm::endpoint::{Endpoint, EndpointError};
use crate::llm::http::{ApiKey, ExtraHeader, HeaderError, Route};
use crate::llm::mock::Mock;

/// A model at an endpoint.
#[derive(Clone, Debug, Args)]
pub(super) struct EndpointArgs {
    /// The base URL of a server with a chat completions API, such as `http://127.0.0.1:8080/v1`, with
    /// or without `/chat/completions`
    #[arg(long, value_name = "URL")]
    base_url: String,

    /// The name of the model on the server
    #[arg(long, value_name = "NAME")]
    pub(super) model: String,

    #[command(flatten)]
    pub(super) request: RequestArgs,
}

/// The settings of an endpoint, beside the question.
#[derive(Clone, Debug, Args)]
pub(super) struct RequestArgs {
    /// The environment variable that holds the key; where it is not set, no key is sent
    #[arg(long, value_name = "VAR", default_value = "OPENAI_API_KEY")]
    pub(super) api_key_env: String,

    /// A header to be sent, and the environment variable that holds its value
    #[arg(long, value_name = "NAME=VAR")]
    header_env: Vec<String>,

    /// The parameter of the server for the most tokens of an answer
    #[arg(long, value_enum, value_name = "FIELD", default_value_t)]
    max_tokens_field: MaxTokensChoice,

    /// Further fields of every request, as a JSON object
    #[arg(long, value_name = "JSON", value_parser = json_object)]
    extra_body: Option<Map<String, Value>>,

    /// Parts of a request that the server refuses, to be left out of all
    #[arg(long, value_enum, value_name = "FIELD", value_delimiter = ',')]
    omit: Vec<OmittedChoice>,
}

/// See [`Omitted`].
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum OmittedChoice {
    Seed,
    Temperature,
    TopP,
    MaxTokens,
    MaxCompletionTokens,
    ToolChoice,
}

impl From<OmittedChoice> for Omitted {
    fn from(choice: OmittedChoice) -> Self {
        match choice {
            OmittedChoice::Seed => Self::Seed,
            OmittedChoice::Temperature => Self::Temperature,
            OmittedChoice::TopP => Self::TopP,
            OmittedChoice::MaxTokens => Self::MaxTokens,
            OmittedChoice::MaxCompletionTokens => Self::MaxCompletionTokens,
            OmittedChoice::ToolChoice => Self::ToolChoice,
        }
    }
}

/// See [`MaxTokensField`].
#[derive(Clone, Copy, Debug, Default, clap::ValueEnum)]
#[value(rename_all = "snake_case")]
enum MaxTokensChoice {
    #[default]
    MaxTokens,
    MaxCompletionTokens,
}

impl From<MaxTokensChoice> for MaxTokensField {
    fn from(choice: MaxTokensChoice) -> Self {
        match choice {
            MaxTokensChoice::MaxTokens => Self::MaxTokens,
            MaxTokensChoice::MaxCompletionTokens => Self::MaxCompletionTokens,
        }
    }
}

impl EndpointArgs {
    /// Returns the endpoint of the server. The fault is reported without the text, which may hold a password.
    pub(super) fn endpoint(&self) -> Result<Endpoint> {
        if self.base_url == Mock::BASE_URL {
            return Err(Failure::usage(
                "the mock model has no endpoint",
                "play with it: it answers in every format",
            ));
        }
        self.base_url.parse().map_err(|error: EndpointError| {
            Failure::usage(error.to_string(), "correct `--base-url`")
        })
    }

    /// The model, as it is to be asked for.
    pub(super) fn addressee(&self) -> Result<Addressee> {
        self.request.addressee(&self.model)
    }
}

impl RequestArgs {
    /// The key in the environment variable, if it is set.
    pub(super) fn key(&self) -> Result<Option<ApiKey>> {
        key(&self.api_key_env)
    }

    /// The headers with their values.
    pub(super) fn headers(&self) -> Result<Vec<ExtraHeader>> {
        let names = self.header_names()?;
        let headers = names.iter();
        headers
            .map(|(name, variable)| header(name, variable))
            .collect()
    }

    /// The headers with the environment variables that hold their values.
    pub(super) fn header_names(&self) -> Result<IndexMap<String, String>> {
        let headers = self.header_env.iter();
        headers
            .map(|given| match given.split_once('=') {
                Some((name, variable)) => Ok((name.to_owned(), variable.to_owned())),
                None => Err(Failure::usage(
                    "`--header-env` is to be NAME=VARIABLE",
                    "the value of the header is taken from that environment variable",
                )),
            })
            .collect()
    }

    /// Returns the request field for the limit on output tokens.
    pub(super) fn max_tokens_field(&self) -> MaxTokensField {
        self.max_tokens_field.into()
    }

    /// Further fields of every request.
    pub(super) fn extra_body(&self) -> Map<String, Value> {
        self.extra_body.clone().unwrap_or_default()
    }

    /// The fields left out of every request.
    pub(super) fn omitted(&self) -> Vec<Omitted> {
        self.omit.iter().map(|&choice| choice.into()).collect()
    }

    /// A model, as it is to be asked for.
    pub(super) fn addressee(&self, model: &str) -> Result<Addressee> {
        let addressee = Addressee::new(model)
            .with_max_tokens_field(self.max_tokens_field())
            .without(self.omitted())
            .with_extra_body(self.extra_body());
        addressee
            .map_err(|error| Failure::usage(error.to_string(), "leave it out of `--extra-body`"))
    }
}

/// The way to a server, as the environment has it: proxies, and the authorities that are trusted.
pub(super) fn route(endpoint: &Endpoint) -> Result<Route> {
    const AUTHORITIES: &str = "SSL_CERT_FILE";
    let variable = |name: &str| Some(std::env::var_os(name)?.to_string_lossy().into_owned());
    let route = Route::new(endpoint, variable)
        .map_err(|error| Failure::usage(error.to_string(), "correct or unset it"))?;
    let file = std::env::var_os(AUTHORITIES).filter(|file| !file.is_empty());
    let Some(file) = file.filter(|_| endpoint.is_secure()) else {
        return Ok(route);
    };
    let path = Path::new(&file);
    let pem = files::check_is_file(path).and_then(|()| files::read_small_text(path));
    let pem = pem.map_err(|failure| {
        Failure::usage(
            format!("the environment variable `{AUTHORITIES}`: {failure}"),
            "name a file of certificates of authorities (PEM), or unset it",
        )
    })?;
    route.trusting(pem.as_bytes()).map_err(|error| {
        Failure::usage(
            format!(
                "the environment variable `{AUTHORITIES}`: {}: {error}",
                path.display()
            ),
            "name a file of certificates of authorities (PEM), or unset it",
        )
    })
}

/// The key in an environment variable, if it is set.
pub(super) fn key(variable: &str) -> Result<Option<ApiKey>> {
    check_variable(variable)?;
    let Some(key) = std::env::var_os(variable).filter(|key| !key.is_empty()) else {
        return Ok(None);
    };
    // What is no text is refused as any other key that cannot be sent.
    let key = ApiKey::new(&key.to_string_lossy()).map_err(|error| {
        let message = format!("the environment variable `{variable}` holds no key: {error}");
        Failure::usage(message, "set it to the key alone, or unset it")
    })?;
    Ok(Some(key))
}

/// A header whose value is in an environment variable.
pub(super) fn header(name: &str, variable: &str) -> Result<ExtraHeader> {
    check_variable(variable)?;
    let Some(value) = std::env::var_os(variable) else {
        return Err(Failure::usage(
            format!(
                "the environment variable `{variable}`, the value of the header `{name}`, is not set"
            ),
            "set it, or leave the header out",
        ));
    };
    ExtraHeader::new(name, &value.to_string_lossy()).map_err(|error| {
        let help = match error {
            HeaderError::Key => {
                "name its environment variable as that of the key: it is sent as `Bearer`"
            }
            HeaderError::Value(_) => "set its environment variable to the value alone",
            HeaderError::Name(_) | HeaderError::Taken(_) => "leave the header out",
        };
        Failure::usage(error.to_string(), help)
    })
}

/// Returns true if a text may be the name of an environment variable. A key that was given in place of one is not, and
/// is not to be shown.
pub(super) fn is_variable(text: &str) -> bool {
    let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '_';
    !text.is_empty() && text.chars().all(is_of_name)
}

/// Refuses what cannot be the name of an environment variable, without showing it.
fn check_variable(text: &str) -> Result<()> {
    if is_variable(text) {
        return Ok(());
    }
    Err(Failure::usage(
        "what is given is not the name of an environment variable",
        "put the key into one, and give its name: a command line is no place for a key",
    ))
}

fn json_object(text: &str) -> std::result::Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("not a JSON object: {error}"))
}
