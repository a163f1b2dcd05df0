//! The models of an evaluation: endpoints, the cassette before them, the budget of all together.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::config::Model;
use crate::agents::llm::budget::{Budget, Price, SpendingLimits};
use crate::agents::llm::cassette::{Cassette, Recording, Tape};
use crate::agents::llm::chat::{Chat, ChatError, ChatRequest, Completion, Take};
use crate::agents::llm::endpoint::Endpoint;
use crate::agents::llm::form::ActionFormat;
use crate::agents::llm::http::{ApiKey, HttpChat, HttpOptions, RequestLimits, Retries, Stop};
use crate::agents::llm::probe::{self, best_format};
use crate::cli::exit::{Failure, Result};
use crate::cli::files;

/// What answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum CassetteMode {
    /// From the cassette alone, without a server.
    Replay,
    /// From the server alone; each answer is kept.
    Record,
    /// From the cassette, and from the server what is not on it.
    Auto,
}

/// What a run may use.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    pub(super) connections: NonZeroUsize,
    pub(super) tokens: Option<u64>,
    pub(super) cost: Option<f64>,
}

/// What the models of a run have spent together, and may spend.
pub(super) struct Ledger {
    limits: Limits,
    budgets: Vec<Arc<Budget>>,
}

/// A model that can be asked.
pub(super) struct Stack {
    pub(super) chat: Arc<dyn Chat>,
    /// How it chooses actions.
    pub(super) format: ActionFormat,
    cassette: Option<Arc<Cassette>>,
}

impl Ledger {
    /// Tokens that were spent, and their cost where all prices are known.
    pub(super) fn spent(&self) -> (u64, Option<f64>) {
        let all = self.budgets.iter().map(|budget| budget.spent());
        all.fold((0, Some(0.0)), |(tokens, cost), spent| {
            (
                tokens + spent.usage.input + spent.usage.output,
                cost.zip(spent.cost).map(|(one, other)| one + other),
            )
        })
    }

    fn check(&self) -> std::result::Result<(), ChatError> {
        let (tokens, cost) = self.spent();
        if self.limits.tokens.is_some_and(|limit| tokens >= limit) {
            return Err(ChatError::Budget(format!(
                "the token limit is reached ({tokens} tokens were used)"
            )));
        }
        if let Some((limit, cost)) = self
            .limits
            .cost
            .zip(cost)
            .filter(|(limit, cost)| cost >= limit)
        {
            return Err(ChatError::Budget(format!(
                "the cost limit of {limit} is reached ({cost:.4} was spent)"
            )));
        }
        Ok(())
    }
}

/// A model that is asked only while the run may spend.
struct Limited {
    inner: Arc<dyn Chat>,
    ledger: Arc<Ledger>,
}

impl Chat for Limited {
    fn complete(
        &self,
        request: &ChatRequest,
        take: Take,
    ) -> std::result::Result<Completion, ChatError> {
        self.ledger.check()?;
        self.inner.complete(request, take)
    }

    fn name(&self) -> &str {
        self.inner.name()
    }

    fn body(&self, request: &ChatRequest) -> Value {
        self.inner.body(request)
    }
}

/// A model under the name that tables give it, and the time that it takes.
pub(super) struct Timed<'a> {
    pub(super) inner: &'a dyn Chat,
    pub(super) name: &'a str,
    nanos: AtomicU64,
}

impl<'a> Timed<'a> {
    pub(super) fn new(inner: &'a dyn Chat, name: &'a str) -> Self {
        Self {
            inner,
            name,
            nanos: AtomicU64::new(0),
        }
    }

    /// The time that all answers took.
    pub(super) fn time(&self) -> Duration {
        Duration::from_nanos(self.nanos.load(Ordering::Relaxed))
    }
}

impl Chat for Timed<'_> {
    fn complete(
        &self,
        request: &ChatRequest,
        take: Take,
    ) -> std::result::Result<Completion, ChatError> {
        let start = Instant::now();
        let result = self.inner.complete(request, take);
        let nanos = u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
        result
    }

    fn name(&self) -> &str {
        self.name
    }

    fn body(&self, request: &ChatRequest) -> Value {
        self.inner.body(request)
    }
}

/// Where the tape of a recording goes on.
struct Reel {
    mode: CassetteMode,
    recording: Recording,
    tape: Option<Tape>,
}

/// Makes the models ready. Those whose format is to be found out are asked what they can do.
pub(super) fn stacks(
    models: &[(&String, &Model)],
    cassette: Option<(CassetteMode, &Path)>,
    limits: &Limits,
    stop: &Stop,
) -> Result<(Vec<Stack>, Arc<Ledger>)> {
    let mut ledger = Ledger {
        limits: limits.clone(),
        budgets: Vec::new(),
    };
    let is_replay = matches!(cassette, Some((CassetteMode::Replay, _)));
    let mut endpoints: Vec<Option<Arc<dyn Chat>>> = Vec::new();
    for (name, model) in models {
        if is_replay {
            endpoints.push(None);
            continue;
        }
        let budget = Arc::new(budget(name, model, limits)?);
        ledger.budgets.push(Arc::clone(&budget));
        let chat = HttpChat::new(options(name, model, limits)?, budget, Arc::clone(stop));
        endpoints.push(Some(Arc::new(chat)));
    }
    let ledger = Arc::new(ledger);
    let mut reel = match cassette {
        None => None,
        Some((mode, path)) => Some(open(mode, path)?),
    };
    let shared: SharedTape = SharedTape::default();
    if let Some(tape) = reel.as_mut().and_then(|reel| reel.tape.take()) {
        shared.load(tape);
    }
    let mut stacks = Vec::new();
    for ((name, model), endpoint) in models.iter().zip(endpoints) {
        let limited = endpoint.map(|inner| -> Arc<dyn Chat> {
            Arc::new(Limited {
                inner,
                ledger: Arc::clone(&ledger),
            })
        });
        let (chat, cassette): (Arc<dyn Chat>, _) = match (&reel, limited) {
            (None, Some(chat)) => (chat, None),
            (Some(reel), chat) => {
                let cassette = Arc::new(match chat {
                    None => {
                        let called = model.model.as_ref().unwrap_or(name);
                        Cassette::replay(reel.recording.clone(), called)
                    }
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
                return Err(Failure::Unusable("no model to ask".to_owned()));
            }
        };
        let format = match model.action_format.given() {
            Some(format) => format,
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

/// Puts the lines of the cassette in an order that does not depend on threads.
pub(super) fn rewind(stacks: &[Stack], mode: CassetteMode, path: &Path) -> Result<()> {
    if mode == CassetteMode::Replay {
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
    let beside = path.with_extension("part");
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, path))
        .map_err(|error| Failure::unwritable(path, &error))
}

fn found_format(name: &str, chat: &dyn Chat) -> Result<ActionFormat> {
    let choice = best_format(chat).map_err(|error| {
        Failure::Unusable(format!(
            "model `{name}`: {error}; so it is not known what it can do (`action-format` says how it \
             is to choose actions)"
        ))
    })?;
    Ok(match choice.format {
        probe::Format::Tool => ActionFormat::Tool,
        probe::Format::JsonSchema => ActionFormat::Json,
        probe::Format::Text => ActionFormat::Text,
    })
}

fn budget(name: &str, model: &Model, limits: &Limits) -> Result<Budget> {
    let price = model.price.map(|price| Price {
        input: price.input,
        output: price.output,
        cached: price.cached,
    });
    if limits.cost.is_some() && price.is_none() {
        return Err(Failure::usage(
            format!("the cost is limited, and the price of model `{name}` is not known"),
            format!("give `price = {{ input = …, output = … }}` under `[models.{name}]`"),
        ));
    }
    Budget::new(SpendingLimits::default(), price)
        .map_err(|error| Failure::Unusable(format!("model `{name}`: {error}")))
}

fn options(name: &str, model: &Model, limits: &Limits) -> Result<HttpOptions> {
    let wrong = |why: String| Failure::Unusable(format!("model `{name}`: {why}"));
    let Some(url) = &model.base_url else {
        return Err(Failure::usage(
            format!("model `{name}` has no `base-url`"),
            "give it in the bench file or with `--base-url`, or replay a cassette",
        ));
    };
    let endpoint: Endpoint = url.parse().map_err(|error| wrong(format!("{error}")))?;
    let key = match std::env::var(&model.api_key_env) {
        Ok(key) => Some(
            ApiKey::new(&key)
                .map_err(|error| wrong(format!("the key in `{}`: {error}", model.api_key_env)))?,
        ),
        Err(_) => None,
    };
    let timeout = Duration::from_secs(u64::from(model.timeout.max(1)));
    let retries = Retries {
        most: model.max_retries,
        ..Retries::default()
    };
    Ok(HttpOptions {
        endpoint,
        model: model.model.clone().unwrap_or_else(|| name.to_owned()),
        key,
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

fn open(mode: CassetteMode, path: &Path) -> Result<Reel> {
    let fail = |error: &std::io::Error| Failure::unwritable(path, error);
    let (recording, whole) = match mode {
        CassetteMode::Record => (Recording::default(), 0),
        CassetteMode::Auto if !path.exists() => (Recording::default(), 0),
        CassetteMode::Replay | CassetteMode::Auto => {
            let bytes = files::read(path)?;
            Recording::read(&bytes).map_err(|error| Failure::file(path, error))?
        }
    };
    let tape = if mode == CassetteMode::Replay {
        None
    } else {
        let mut options = OpenOptions::new();
        let mut file = options
            .create(true)
            .write(true)
            .truncate(false)
            .open(path)
            .map_err(|error| fail(&error))?;
        file.set_len(whole as u64)
            .and_then(|()| file.seek(SeekFrom::End(0)))
            .map_err(|error| fail(&error))?;
        Some(Box::new(file) as Tape)
    };
    Ok(Reel {
        mode,
        recording,
        tape,
    })
}

/// One tape that the cassettes of several models write to, a line at a time.
#[derive(Clone, Default)]
struct SharedTape(Arc<Mutex<Option<Tape>>>);

impl SharedTape {
    fn load(&self, tape: Tape) {
        *self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner) = Some(tape);
    }
}

impl std::io::Write for SharedTape {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let mut tape = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match tape.as_mut() {
            Some(tape) => tape.write(bytes),
            None => Err(std::io::Error::other("there is no tape")),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let mut tape = self
            .0
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        tape.as_mut().map_or(Ok(()), std::io::Write::flush)
    }
}
