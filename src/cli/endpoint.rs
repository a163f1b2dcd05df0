//! Which model is asked, and with which key: the options of commands that ask one.

use clap::Args;

use super::exit::{Failure, Result};
use crate::agents::llm::endpoint::{Endpoint, EndpointError};
use crate::agents::llm::http::ApiKey;

/// A model at an endpoint.
#[derive(Clone, Debug, Args)]
pub(super) struct EndpointArgs {
    /// The base URL of a server with a chat completions API, such as `http://127.0.0.1:8080/v1`, with
    /// or without `/chat/completions`
    #[arg(long, value_name = "URL", value_parser = base_url)]
    pub(super) base_url: Endpoint,

    /// What the server calls the model
    #[arg(long, value_name = "NAME")]
    pub(super) model: String,

    /// The environment variable that holds the key; where it is not set, no key is sent
    #[arg(long, value_name = "VAR", default_value = "OPENAI_API_KEY")]
    pub(super) api_key_env: String,
}

impl EndpointArgs {
    /// The key in the environment variable, if it is set.
    pub(super) fn key(&self) -> Result<Option<ApiKey>> {
        let variable = &self.api_key_env;
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
}

fn base_url(text: &str) -> std::result::Result<Endpoint, String> {
    text.parse()
        .map_err(|error: EndpointError| error.to_string())
}
