//! The options of a command that asks one model.

use std::path::PathBuf;

use clap::Args;

use super::cassette::CassetteMode;
use super::model::{FormatChoice, Model, Parse};
use crate::cli::endpoint::RequestArgs;
use crate::cli::exit::{Failure, Result};
use crate::cli::paths;

/// A model, and how it is asked.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Agents that ask a model")]
pub(in crate::cli) struct ModelArgs {
    /// The base URL of a server with a chat completions API, with or without `/chat/completions`
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// The name of the model on the server
    #[arg(long, value_name = "NAME")]
    model: Option<String>,

    #[command(flatten)]
    request: RequestArgs,

    /// The temperature at which answers are drawn; the server's own where it is not given
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    temperature: Option<f64>,

    /// The most tokens of an answer
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    max_tokens: Option<u32>,

    /// The form in which the model chooses actions
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "auto")]
    action_format: FormatChoice,

    /// The reader of actions: to the letter, or one that means well
    #[arg(long, value_enum, value_name = "READER", default_value = "strict")]
    parse: Parse,

    /// Where answers come from
    #[arg(long, value_enum, value_name = "MODE", requires = "cassette_file")]
    cassette: Option<CassetteMode>,

    /// The cassette
    #[arg(long, value_name = "FILE", requires = "cassette", value_parser = paths::given())]
    pub(in crate::cli) cassette_file: Option<PathBuf>,

    /// Stop when so many tokens were used
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(in crate::cli) token_limit: Option<u64>,
}

impl ModelArgs {
    /// The cassette, if there is one.
    pub(super) fn cassette(&self) -> Option<(CassetteMode, PathBuf)> {
        self.cassette.zip(self.cassette_file.clone())
    }

    /// The model, with its name.
    pub(super) fn model(&self) -> Result<(String, Model)> {
        let is_replay = self.cassette == Some(CassetteMode::Replay);
        let missing = match (&self.model, &self.base_url) {
            (None, _) => Some("--model NAME"),
            (_, None) if !is_replay => Some("--base-url URL"),
            _ => None,
        };
        if let Some(missing) = missing {
            return Err(Failure::usage(
                format!("an agent asks a model, and `{missing}` is not given"),
                "give `--base-url` and `--model`; `brigade doctor` says what an endpoint can do",
            ));
        }
        let name = self.model.clone().unwrap_or_default();
        self.request.addressee(&name)?;
        let model = Model {
            base_url: self.base_url.clone(),
            header_env: self.request.header_names()?,
            temperature: self.temperature,
            max_tokens: self.max_tokens,
            max_tokens_field: self.request.max_tokens_field(),
            extra_body: self.request.extra_body(),
            omit: self.request.omitted(),
            action_format: self.action_format,
            parse: self.parse,
            ..Model::new(&self.request.api_key_env)
        };
        model
            .check()
            .map_err(|why| Failure::usage(why, "correct the option of that name"))?;
        Ok((name, model))
    }
}
