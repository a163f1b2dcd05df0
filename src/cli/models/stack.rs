//! Models that can be asked: endpoints, the cassette before them, the budget of all together.

use std::fs::{OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indexmap::IndexMap;
use serde_json::Value;

use super::Model;
use super::spending::SpendingNote;
use crate::cli::control::{interrupted, polled};
use crate::cli::endpoint;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::paths::folder_of;
use crate::llm::budget::{Budget, Price, SpendingLimits};
use crate::llm::cassette::{Cassette, Recording, Tape};
use crate::llm::chat::{Chat, ChatError, ChatRequest, Completion, NoAnswer, Take};
use crate::llm::endpoint::Endpoint;
use crate::llm::form::ActionFormat;
use crate::llm::http::{HttpChat, HttpOptions, RequestLimits, Retries, Stop};
use crate::llm::probe::{self, best_format};
use crate::search::StopReason;

/// What answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(in crate::cli) enum CassetteMode {
    /// From the cassette alone, without a server.
    Replay,
    /// From the server alone; each answer is kept.
    Record,
    /// From the cassette, and from the server what is not on it.
    Auto,
}

/// The limits of a run.
#[derive(Clone, Debug)]
pub(in crate::cli) struct Limits {
    pub(in crate::cli) connections: NonZeroUsize,
    pub(in crate::cli) tokens: Option<u64>,
    pub(in crate::cli) cost: Option<f64>,
    /// The prices of models that are not asked in this run, as far as they are known. Their earlier spending counts.
    pub(in crate::cli) prices: IndexMap<String, super::Price>,
}

/// The spending of the models of an evaluation together, in all runs, and its limits.
pub(in crate::cli) struct Ledger {
    limits: Limits,
    /// By model; none where a cassette alone answers.
    budgets: IndexMap<String, Arc<Budget>>,
    /// The file in which that is recorded for runs that follow.
    note: Option<SpendingNote>,
}

/// A model that can be asked.
pub(in crate::cli) struct Stack {
    pub(in crate::cli) chat: Arc<dyn Chat>,
    /// The format in which it chooses actions.
    pub(in crate::cli) format: ActionFormat,
    cassette: Option<Arc<Cassette>>,
}

impl Ledger {
    /// Tokens that were spent, and their cost where all prices are known.
    pub(in crate::cli) fn spent(&self) -> (u64, Option<f64>) {
        let all = self.budgets.values().map(|budget| budget.spent());
        all.fold((0, Some(0.0)), |(tokens, cost), spent| {
            let usage = spent.usage;
            (
                usage
                    .input
                    .saturating_add(usage.output)
                    .saturating_add(tokens),
                cost.zip(spent.cost).map(|(one, other)| one + other),
            )
        })
    }

    /// The folder is that of this evaluation: what is spent is noted there.
    pub(in crate::cli) fn open(&self) {
        if let Some(note) = &self.note {
            note.open();
        }
        self.write();
    }

    /// Fails if some spending could not be recorded.
    pub(in crate::cli) fn close(&self) -> Result<()> {
        self.note.as_ref().map_or(Ok(()), SpendingNote::close)
    }

    fn write(&self) {
        let Some(note) = self.note.as_ref().filter(|_| !self.budgets.is_empty()) else {
            return;
        };
        note.note(|| {
            let budgets = self.budgets.iter();
            let spent = budgets.map(|(name, budget)| (name.clone(), budget.spent().into()));
            spent.collect()
        });
    }

    fn check(&self) -> std::result::Result<(), ChatError> {
        let is_limited = self.limits.tokens.is_some() || self.limits.cost.is_some();
        let mut budgets = self.budgets.iter();
        if let Some((name, _)) = budgets.find(|(_, budget)| budget.spent().uncounted > 0)
            && is_limited
        {
            return Err(ChatError::Budget(format!(
                "the server of model `{name}` does not count tokens, so no limit of tokens or cost \
                 can be kept; run without `--token-limit` and `--cost-limit`, or on another server"
            )));
        }
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
    ) -> std::result::Result<Completion, NoAnswer> {
        self.ledger.check()?;
        let result = self.inner.complete(request, take);
        self.ledger.write();
        result
    }

    fn name(&self) -> &str {
        self.inner.name()
    }

    fn body(&self, request: &ChatRequest) -> Value {
        self.inner.body(request)
    }
}

/// A model under the name that tables give it, and the time that it takes.
pub(in crate::cli) struct Timed<'a> {
    pub(in crate::cli) inner: &'a dyn Chat,
    pub(in crate::cli) name: &'a str,
    nanos: AtomicU64,
}

impl<'a> Timed<'a> {
    pub(in crate::cli) fn new(inner: &'a dyn Chat, name: &'a str) -> Self {
        Self {
            inner,
            name,
            nanos: AtomicU64::new(0),
        }
    }

    /// The time that all answers took.
    pub(in crate::cli) fn time(&self) -> Duration {
        Duration::from_nanos(self.nanos.load(Ordering::Relaxed))
    }
}

impl Chat for Timed<'_> {
    fn complete(
        &self,
        request: &ChatRequest,
        take: Take,
    ) -> std::result::Result<Completion, NoAnswer> {
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

/// A recording, with the tape on which it goes on.
struct Reel {
    mode: CassetteMode,
    recording: Recording,
    tape: Option<Tape>,
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
        let chat = HttpChat::new(options(name, model, limits)?, budget, Arc::clone(stop));
        endpoints.push(Some(Arc::new(chat)));
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
    let shared = SharedTape(Arc::new(Mutex::new(tape)));
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
        if matches!(cassette, Some((CassetteMode::Replay, _))) {
            model.addressee(name)?;
        } else {
            budget(name, model.price, limits)?;
            options(name, model, limits)?;
        }
    }
    let Some((mode, path)) = cassette else {
        return Ok(());
    };
    if mode == CassetteMode::Replay || path.exists() {
        let bytes = files::read_whole(path)?;
        may_record(mode, path, &bytes)?;
        let (recording, _) = recording(path, &bytes)?;
        may_replay(mode, path, &recording)?;
    } else if !folder_of(path).is_dir() {
        let error = ErrorKind::NotFound.into();
        return Err(Failure::unwritable(path, &error));
    }
    Ok(())
}

/// The recordings of a cassette, and the number of its bytes that are whole lines.
fn recording(path: &Path, bytes: &[u8]) -> Result<(Recording, usize)> {
    Recording::read(bytes).map_err(|error| Failure::malformed(path, error))
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

fn budget(name: &str, price: Option<super::Price>, limits: &Limits) -> Result<Budget> {
    let price = price.map(|price| Price {
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
    Budget::new(SpendingLimits::default(), price).map_err(|error| {
        Failure::usage(
            format!("model `{name}`: {error}"),
            format!("correct its `price` under `[models.{name}]`"),
        )
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

/// A new recording is not made over another.
fn may_record(mode: CassetteMode, path: &Path, there: &[u8]) -> Result<()> {
    if mode != CassetteMode::Record || there.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(
        format!("{}: the cassette is there already", path.display()),
        "remove it to record anew, add to it with `--cassette auto`, or give `--cassette-file` \
         another file",
    ))
}

/// From a cassette without answers nothing can be played.
fn may_replay(mode: CassetteMode, path: &Path, recording: &Recording) -> Result<()> {
    if mode != CassetteMode::Replay || !recording.is_empty() {
        return Ok(());
    }
    Err(Failure::usage(
        format!("{}: the cassette is empty", path.display()),
        "record it with `--cassette record`, or give `--cassette-file` another file",
    ))
}

/// Opens a cassette. One that is to be written is held: no other run writes to it meanwhile.
fn open(mode: CassetteMode, path: &Path) -> Result<Reel> {
    // However large it is: what is not read would be overwritten.
    let read = || files::read_whole(path);
    if mode == CassetteMode::Replay {
        let (recording, _) = recording(path, &read()?)?;
        may_replay(mode, path, &recording)?;
        return Ok(Reel {
            mode,
            recording,
            tape: None,
        });
    }
    files::check_is_file(path)?;
    let fail = |error: &std::io::Error| Failure::unwritable(path, error);
    let mut options = OpenOptions::new();
    let options = options.create(true).write(true).truncate(false);
    let mut file = options.open(path).map_err(|error| fail(&error))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            return Err(Failure::usage(
                format!("{}: another run records on it", path.display()),
                "wait until it is done, or give `--cassette-file` another file",
            ));
        }
        Err(TryLockError::Error(error)) => return Err(fail(&error)),
    }
    let bytes = read()?;
    may_record(mode, path, &bytes)?;
    let (recording, whole) = recording(path, &bytes)?;
    file.set_len(whole as u64)
        .and_then(|()| file.seek(SeekFrom::End(0)))
        .map_err(|error| fail(&error))?;
    Ok(Reel {
        mode,
        recording,
        tape: Some(Box::new(file)),
    })
}

/// One tape that the cassettes of several models write to, a line at a time.
#[derive(Clone)]
struct SharedTape(Arc<Mutex<std::io::Result<Tape>>>);

impl SharedTape {
    fn tape(&self) -> MutexGuard<'_, std::io::Result<Tape>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something with the tape. Once that has failed nothing is done any more: what follows
    /// would stand after half a line.
    fn with<T>(&self, work: impl FnOnce(&mut Tape) -> std::io::Result<T>) -> std::io::Result<T> {
        let mut place = self.tape();
        let again = |error: &std::io::Error| std::io::Error::new(error.kind(), error.to_string());
        match place.as_mut() {
            Err(error) => Err(again(error)),
            Ok(tape) => work(tape).inspect_err(|error| *place = Err(again(error))),
        }
    }
}

impl std::io::Write for SharedTape {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.with(|tape| tape.write(bytes))
    }

    fn write_all(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.with(|tape| tape.write_all(bytes))
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.with(std::io::Write::flush)
    }
}
