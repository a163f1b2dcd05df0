//! Models that can be asked: endpoints, the cassette before them, the budget of all together.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use indexmap::IndexMap;

use super::Model;
use super::cassette::{CassetteMode, SharedTape, check_cassette, open};
use super::latency::{LATENCIES, LatencyLog};
use super::ledger::{Ledger, Limited, Limits, budget};
use super::spending::SpendingNote;
use crate::cli::control::{interrupted, polled};
use crate::cli::endpoint;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::llm::cassette::Cassette;
use crate::llm::chat::{Chat, ChatError};
use crate::llm::endpoint::Endpoint;
use crate::llm::form::ActionFormat;
use crate::llm::http::{HttpChat, HttpOptions, RequestLimits, Retries, Stop};
use crate::llm::mock::Mock;
use crate::llm::probe::{self, best_format};
use crate::search::StopReason;

/// A model that can be asked.
pub(in crate::cli) struct Stack {
    pub(in crate::cli) chat: Arc<dyn Chat>,
    /// The format in which it chooses actions.
    pub(in crate::cli) format: ActionFormat,
    cassette: Option<Arc<Cassette>>,
}

/// Returns the check that stops questions: at an interrupt, or past the deadline.
pub(in crate::cli) fn stop_at(deadline: Option<Instant>) -> Stop {
    polled();
    Arc::new(move || {
        let over = deadline.is_some_and(|end| Instant::now() >= end);
        if interrupted() {
            Some(StopReason::Interrupted)
        } else {
            over.then_some(StopReason::Time)
        }
    })
}

/// Makes the models ready. Those whose format is to be found out are asked what they can do.
pub(in crate::cli) fn stacks(
    models: &[(&String, &Model)],
    cassette: Option<(CassetteMode, &Path)>,
    limits: &Limits,
    spending: Option<PathBuf>,
    stop: &Stop,
) -> Result<(Vec<Stack>, Arc<Ledger>)> {
    let mut ledger = Ledger {
        limits: limits.clone(),
        budgets: IndexMap::new(),
        latencies: spending
            .as_ref()
            .map(|path| LatencyLog::new(path.with_file_name(LATENCIES))),
        note: spending.map(SpendingNote::new),
    };
    let before = ledger.note.as_ref().map(SpendingNote::read).transpose()?;
    let mut before = before.unwrap_or_default();
    let is_replay = matches!(cassette, Some((CassetteMode::Replay, _)));
    let mut endpoints: Vec<Option<Arc<dyn Chat>>> = Vec::new();
    for (name, model) in models {
        if is_replay {
            endpoints.push(None);
            continue;
        }
        let budget = Arc::new(budget(name, model.price, limits)?);
        if let Some(spent) = before.shift_remove(*name) {
            spent.put_down(&budget);
        }
        ledger.budgets.insert((*name).clone(), Arc::clone(&budget));
        endpoints.push(Some(if model.is_mock() {
            Arc::new(Mock::new(model.addressee(name)?, budget))
        } else {
            let options = options(name, model, limits)?;
            Arc::new(HttpChat::new(options, budget, Arc::clone(stop)))
        }));
    }
    if !is_replay {
        for (name, spent) in before {
            let budget = budget(&name, limits.prices.get(&name).copied(), limits)?;
            spent.put_down(&budget);
            ledger.budgets.insert(name, Arc::new(budget));
        }
    }
    let ledger = Arc::new(ledger);
    let mut reel = match cassette {
        None => None,
        Some((mode, path)) => Some(open(mode, path)?),
    };
    let tape = reel.as_mut().and_then(|reel| reel.tape.take());
    let tape = tape.ok_or_else(|| std::io::Error::other("nothing is recorded"));
    let shared = SharedTape::new(tape);
    let mut stacks = Vec::new();
    for ((name, model), endpoint) in models.iter().zip(endpoints) {
        let limited = endpoint.map(|inner| -> Arc<dyn Chat> {
            Arc::new(Limited {
                inner,
                ledger: Arc::clone(&ledger),
                name: (!model.is_mock()).then(|| (*name).clone()),
            })
        });
        let (chat, cassette): (Arc<dyn Chat>, _) = match (&reel, limited) {
            (None, Some(chat)) => (chat, None),
            (Some(reel), chat) => {
                let cassette = Arc::new(match chat {
                    None => Cassette::replay(reel.recording.clone(), model.addressee(name)?),
                    Some(chat) if reel.mode == CassetteMode::Record => {
                        Cassette::record(chat, Box::new(shared.clone()))
                    }
                    Some(chat) => {
                        Cassette::auto(chat, reel.recording.clone(), Box::new(shared.clone()))
                    }
                });
                (Arc::clone(&cassette) as Arc<dyn Chat>, Some(cassette))
            }
            (None, None) => {
                return Err(Failure::Internal("no model to ask".to_owned()));
            }
        };
        let format = match model.action_format.given() {
            Some(format) => format,
            None if model.is_mock() => ActionFormat::Text,
            None => found_format(name, &*chat)?,
        };
        stacks.push(Stack {
            chat,
            format,
            cassette,
        });
    }
    Ok((stacks, ledger))
}

/// Checks what can be known of models before anything is asked: what is given of them, the cassette, what
/// earlier runs have noted.
pub(in crate::cli) fn check(
    models: &[(&String, &Model)],
    cassette: Option<(CassetteMode, &Path)>,
    limits: &Limits,
    spending: PathBuf,
) -> Result<()> {
    SpendingNote::new(spending).read()?;
    for (name, model) in models {
        let is_replay = matches!(cassette, Some((CassetteMode::Replay, _)));
        if !is_replay {
            budget(name, model.price, limits)?;
        }
        if is_replay || model.is_mock() {
            model.addressee(name)?;
        } else {
            options(name, model, limits)?;
        }
    }
    cassette.map_or(Ok(()), |(mode, path)| check_cassette(mode, path))
}

/// Puts the lines of the cassette in an order that does not depend on threads.
pub(in crate::cli) fn rewind(stacks: &[Stack], mode: CassetteMode, path: &Path) -> Result<()> {
    if mode == CassetteMode::Replay || stacks.is_empty() {
        return Ok(());
    }
    let mut lines: Vec<String> = Vec::new();
    for stack in stacks {
        let Some(cassette) = &stack.cassette else {
            continue;
        };
        let text = cassette
            .sorted()
            .map_err(|error| Failure::file(path, error))?;
        lines.extend(text.lines().map(str::to_owned));
    }
    lines.sort();
    lines.dedup();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    files::write_own(path, &text)
}

fn found_format(name: &str, chat: &dyn Chat) -> Result<ActionFormat> {
    let choice = best_format(chat).map_err(|error| match error {
        ChatError::Stopped(_) | ChatError::Budget(_) => Failure::Chat(error),
        error @ ChatError::Configuration { .. } => Failure::Usage {
            message: format!("model `{name}`: {}", error.with_advice()),
            help: None,
        },
        error => Failure::Negative(format!(
            "model `{name}`: {error}; so it is not known what it can do (`action-format` says how it \
             is to choose actions)"
        )),
    })?;
    Ok(match choice.format {
        probe::Format::Tool => ActionFormat::Tool,
        probe::Format::JsonSchema => ActionFormat::Json,
        probe::Format::Text => ActionFormat::Text,
    })
}

fn options(name: &str, model: &Model, limits: &Limits) -> Result<HttpOptions> {
    let Some(url) = &model.base_url else {
        return Err(Failure::usage(
            format!("model `{name}` has no `base-url`"),
            "give it in the bench file or with `--base-url`, or replay a cassette",
        ));
    };
    let address: Endpoint = url.parse().map_err(|error| {
        Failure::usage(
            format!("model `{name}`: {error}"),
            "correct its `base-url`, or `--base-url`",
        )
    })?;
    let headers = model.header_env.iter();
    let headers = headers.map(|(name, variable)| endpoint::header(name, variable));
    let timeout = Duration::from_secs(u64::from(model.timeout));
    let retries = Retries {
        most: model.max_retries,
        ..Retries::default()
    };
    Ok(HttpOptions {
        route: endpoint::route(&address)?,
        endpoint: address,
        addressee: model.addressee(name)?,
        key: endpoint::key(&model.api_key_env)?,
        headers: headers.collect::<Result<_>>()?,
        timeout,
        total: timeout.saturating_mul(model.max_retries.saturating_add(2)),
        retries,
        limits: RequestLimits {
            concurrent: limits.connections,
            per_minute: model
                .requests_per_minute
                .and_then(std::num::NonZeroU32::new),
        },
    })
}
