//! `brigade doctor`: what an endpoint can do.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::args::{Format, seconds};
use super::endpoint::{self, EndpointArgs};
use super::exit::{Exit, Failure, Result};
use super::models::stop_at;
use super::printer::Printer;
use crate::llm::budget::Budget;
use crate::llm::chat::ChatError;
use crate::llm::http::{ApiKey, HttpChat, HttpOptions, Models, RequestLimits, Retries, Stop};
use crate::llm::probe::{self, Check, Verdict};

/// The most names of models that are shown.
const SHOWN_MODELS: usize = 5;

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    endpoint: EndpointArgs,

    /// The time for each question, all tries together
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "60",
          allow_hyphen_values = true)]
    timeout: Duration,

    /// Form of the output
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t)]
    pub(super) format: Format,
}

/// The JSON document of the command.
#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    /// The base URL.
    endpoint: String,
    model: String,
    checks: Vec<Check>,
    /// The best format in which to ask for actions.
    format: Option<probe::Format>,
    /// The advice where there is no chat.
    help: Option<String>,
}

pub(super) fn run(printer: &Printer, args: &DoctorArgs) -> Result {
    if args.timeout.is_zero() {
        let message = "a server needs more than 0 seconds to answer";
        return Err(Failure::usage(
            message,
            "give more with `--timeout SECONDS`",
        ));
    }
    let key = args.endpoint.request.key()?;
    let has_key = key.is_some();
    let chat = chat(args, key)?;
    let models = chat.models();
    if let Err(error @ ChatError::Stopped(_)) = models {
        return Err(Failure::Chat(error));
    }
    let findings = probe::findings(&chat).map_err(Failure::Chat)?;
    let answers = findings.format.is_some();
    let advice = findings.checks[0].advice.clone();
    let mut checks = vec![
        reachable(&models, &findings.checks[0]),
        listed(models, &args.endpoint.model),
    ];
    checks.extend(findings.checks);
    let document = Document {
        schema: 1,
        endpoint: args.endpoint.endpoint()?.to_string(),
        model: args.endpoint.model.clone(),
        help: (!answers).then(|| advice.unwrap_or_else(|| help(args, has_key))),
        format: findings.format,
        checks,
    };
    match args.format {
        Format::Json => printer.json(&document)?,
        Format::Text => printer.text(&text(&document))?,
    }
    Ok(if answers { Exit::Done } else { Exit::Negative })
}

fn chat(args: &DoctorArgs, key: Option<ApiKey>) -> Result<HttpChat> {
    let address = args.endpoint.endpoint()?;
    let options = HttpOptions {
        route: endpoint::route(&address)?,
        endpoint: address,
        addressee: args.endpoint.addressee()?,
        key,
        headers: args.endpoint.request.headers()?,
        timeout: args.timeout,
        total: args.timeout,
        retries: Retries {
            most: 2,
            ..Retries::default()
        },
        limits: RequestLimits {
            concurrent: NonZeroUsize::MIN,
            per_minute: None,
        },
    };
    let stop: Stop = stop_at(None);
    Ok(HttpChat::new(options, Arc::new(Budget::default()), stop))
}

/// Checks that anything has answered at all.
fn reachable(models: &std::result::Result<Models, ChatError>, chat: &Check) -> Check {
    let (verdict, reason) = match models {
        Err(error) if chat.verdict == Verdict::Unknown => (Verdict::No, error.to_string()),
        _ => (Verdict::Yes, "the server answers".to_owned()),
    };
    Check {
        name: "reachable",
        verdict,
        reason,
        advice: None,
    }
}

/// Checks that the server lists the model.
fn listed(models: std::result::Result<Models, ChatError>, model: &str) -> Check {
    let (verdict, reason) = match models {
        Err(error) => (Verdict::Unknown, error.to_string()),
        Ok(Models::Unlisted(reason)) => (Verdict::No, reason),
        Ok(Models::Listed(names)) => {
            let number = names.len();
            let first: Vec<&str> = names
                .iter()
                .take(SHOWN_MODELS)
                .map(String::as_str)
                .collect();
            let more = if number > SHOWN_MODELS { ", …" } else { "" };
            let list = format!("{number} listed: {}{more}", first.join(", "));
            if names.iter().any(|name| name == model) {
                (Verdict::Yes, list)
            } else {
                (Verdict::No, format!("`{model}` is not among the {list}"))
            }
        }
    };
    Check {
        name: "models",
        verdict,
        reason,
        advice: None,
    }
}

fn help(args: &DoctorArgs, has_key: bool) -> String {
    let variable = &args.endpoint.request.api_key_env;
    let key = if has_key {
        format!("whether the key in `{variable}` is right")
    } else {
        format!("whether it wants a key: `{variable}` is not set")
    };
    format!(
        "see whether the server runs, whether the base URL is complete (mostly it ends with `/v1`), \
         whether it has the model, and {key}"
    )
}

fn text(document: &Document) -> String {
    let mut text = format!("{}, model {}\n\n", document.endpoint, document.model);
    for check in &document.checks {
        let verdict = match check.verdict {
            Verdict::Yes => "yes",
            Verdict::No => "no",
            Verdict::Unknown => "unknown",
        };
        text += &format!("{:<12} {verdict:<8} {}\n", check.name, check.reason);
        // That of a chat that there is not is the last line.
        if let Some(advice) = check.advice.as_ref().filter(|_| document.help.is_none()) {
            text += &format!("  help: {advice}\n");
        }
    }
    text += "\n";
    text += &match document.format {
        Some(format) => format!("best action format: {}\n", name(format)),
        None => "there is no chat with this model\n".to_owned(),
    };
    if let Some(help) = &document.help {
        text += &format!("  help: {help}\n");
    }
    text
}

const fn name(format: probe::Format) -> &'static str {
    match format {
        probe::Format::Tool => "tool",
        probe::Format::JsonSchema => "json-schema",
        probe::Format::Text => "text",
    }
}
