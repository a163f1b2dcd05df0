//! `brigade bench`: problems × set-ups of agents × models × seeds × repetitions, played and logged.
//!
//! Every episode has a log of its own, so a run that was stopped, killed or ran out of disk goes on
//! where it was: what is finished is not played again, what is not is played from its start. All
//! figures are read from the logs.

mod attempts;
mod check;
mod columns;
mod config;
mod digest;
mod example;
mod figures;
mod folder;
mod gaps;
mod growth;
mod hash;
mod header;
mod measure;
mod moves;
mod names;
mod notes;
mod plan;
mod play;
mod preparing;
mod process;
mod read;
mod references;
mod score_sum;
mod scores;
mod sense;
mod setup;
mod stage;
mod summary;
mod tally;
mod teams;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use clap::Args;
use indexmap::IndexMap;
use serde_json::json;

use self::config::{Bench, Planned};
use self::digest::{Digests, lost};
use self::folder::{Folder, pretty};
use self::header::Header;
use self::measure::Measuring;
use self::play::{Bounds, Ended, play};
use self::preparing::Preparing;
use self::scores::scores;
use self::stage::Stage;
use self::summary::{Shown, Summary, Unfinished};
use super::args::{Format, LimitArgs, amount};
use super::control::Deadline;
use super::exit::{Exit, Failure, Result};
use super::knowledge::ViewArgs;
use super::left;
use super::models::{
    self, CassetteMode, FormatChoice, Ledger, Limits, Model, Price, Stack, latencies, rewind,
    stacks, stop_at,
};
use super::paths;
use super::printer::Printer;
use crate::diagnostics::words::counted;
use crate::episode::EndReason;
use crate::search::Control;

/// After so many episodes in a row that an outage has cut short, the next would be too.
const OUTAGES_IN_A_ROW: usize = 10;

/// Arguments of `bench`.
#[derive(Debug, Args)]
pub(super) struct BenchArgs {
    /// The evaluation: a TOML file of problems, set-ups and models (docs/reference/evaluations.md)
    #[arg(value_parser = paths::given())]
    bench: PathBuf,

    /// The folder of the logs; where it holds this evaluation already, the run goes on with it
    #[arg(long, value_name = "DIR", value_parser = paths::given())]
    log_dir: PathBuf,

    /// Play with these models of the file only
    #[arg(long = "model", value_name = "NAME")]
    models: Vec<String>,

    /// The endpoint of all models, in place of those of the file
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// Play the first N episodes only
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    limit: Option<NonZeroUsize>,

    /// The number of times that each episode is played, in place of what the file says
    #[arg(long, value_name = "N")]
    epochs: Option<std::num::NonZeroU32>,

    /// The form in which models choose actions, in place of what the file says
    #[arg(long, value_enum, value_name = "FORMAT")]
    action_format: Option<FormatChoice>,

    /// The most requests, and the most episodes, at the same time
    #[arg(
        long,
        value_name = "N",
        default_value = "4",
        allow_negative_numbers = true
    )]
    max_connections: NonZeroUsize,

    /// The most times that an episode is played again after an outage has cut it short
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    retry_on_error: u32,

    /// Keep answers on the cassette, and ask for what is not on it: `--cassette auto`
    #[arg(long, conflicts_with = "cassette")]
    cache: bool,

    /// Where answers come from
    #[arg(long, value_enum, value_name = "MODE")]
    cassette: Option<CassetteMode>,

    /// The cassette [default: the bench file with the ending `.cassette.jsonl`]
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    cassette_file: Option<PathBuf>,

    /// Stop when so many tokens were used, by all runs of this evaluation together
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    token_limit: Option<u64>,

    /// Stop when this was spent, by all runs of this evaluation together, in the currency of the prices
    #[arg(long, value_name = "AMOUNT", value_parser = amount, allow_hyphen_values = true)]
    cost_limit: Option<f64>,

    /// The most states that a search for process metrics may store; beyond, they are bounded. 0: none are
    /// computed
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1_000_000,
        allow_negative_numbers = true
    )]
    metric_states: u64,

    #[command(flatten)]
    view: ViewArgs,

    /// Check all that can be known before a model is asked, list the episodes, and play none
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    limits: LimitArgs,

    /// Form of the result on standard output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// Plays the episodes of a bench file. The exit code is [`Exit::Limit`] if a limit or an interrupt has
/// left some unfinished, and [`Exit::Negative`] if something else has.
pub(super) fn run(printer: &Printer, args: &BenchArgs) -> Result {
    let control = Deadline::new(printer, args.limits.time_limit);
    let (bench, prices) = bench(args)?;
    let planned = bench.episodes(&args.models)?;
    if planned.is_empty() {
        return Err(Failure::usage(
            "every set-up names a model that `--model` leaves out",
            "give `--model` all models of a set-up",
        ));
    }
    let most = args.limit.map_or(usize::MAX, NonZeroUsize::get);
    let wanted = &planned[..most.min(planned.len())];
    let with = Preparing {
        printer,
        beside: paths::folder_of(&args.bench),
        search: args.limits.search(),
        control: &control,
    };
    let stage = Stage::prepare(&bench, &with)?;
    let mode = args.cassette.or(args.cache.then_some(CassetteMode::Auto));
    if mode.is_none() && args.cassette_file.is_some() {
        return Err(Failure::usage(
            "`--cassette-file` names a cassette, and none is used",
            "add `--cassette replay`, `record` or `auto`",
        ));
    }
    let folder = if args.dry_run {
        Folder::look(&args.log_dir)?
    } else {
        Folder::open(&args.log_dir)?
    };
    let cassette = mode.map(|mode| {
        // What the run has recorded before goes on.
        let goes_on = mode == CassetteMode::Record && folder.is_begun();
        let mode = if goes_on { CassetteMode::Auto } else { mode };
        (mode, cassette_path(args))
    });
    let limits = Limits {
        connections: args.max_connections,
        tokens: args.token_limit,
        cost: args.cost_limit,
        prices,
    };
    let asked = models_to_ask(&bench, &folder, wanted)?;
    let models: Vec<_> = asked.iter().collect();
    let place = cassette
        .as_ref()
        .map(|(mode, path)| (*mode, path.as_path()));
    let spending = folder.path("spending.json");
    if args.dry_run {
        models::check(&models, place, &limits, spending)?;
        folder.check_writable()?;
        return plan::show(printer, args.format, &stage, &folder, (&planned, wanted));
    }
    let deadline = args.limits.time_limit.map(|limit| Instant::now() + limit);
    let stop = stop_at(deadline);
    let (stacks, ledger) = stacks(&models, place, &limits, Some(spending), &stop)?;
    let formats: Vec<_> = stacks.iter().map(|it| Some(it.format.name())).collect();
    let claim = folder.compare(Header::new(&stage, &formats))?;
    notes::earlier(printer, &claim);
    folder.claim(&claim)?;
    left::can_go_on(format!(
        "the episodes that are finished are kept in {}; the same command goes on with the others",
        args.log_dir.display()
    ));
    measure::forget(&folder)?;
    notes::lost(printer, &folder, &planned);
    notes::left_out(printer, &folder, &planned)?;
    let mut digests = Digests::default();
    digests.read(&stage, &folder, &planned)?;
    ledger.open();
    for (name, model) in &bench.models {
        if model.price.is_none() && args.cassette != Some(CassetteMode::Replay) {
            printer.note(&format!(
                "the price of model `{name}` is not known: costs are left out"
            ));
        }
    }
    let bounds = Bounds {
        deadline,
        search: args.limits.search(),
    };
    let work = Work {
        stage: &stage,
        stacks: &stacks,
        folder: &folder,
        ledger: &ledger,
        bounds: bounds.clone(),
        retries: args.retry_on_error,
    };
    let unfinished = work.play_all(printer, wanted, args.max_connections)?;
    ledger.close()?;
    if let Some((mode, path)) = &cassette {
        rewind(&stacks, *mode, path)?;
    }
    let measuring = Measuring {
        stage: &stage,
        folder: &folder,
        max_states: args.metric_states,
        view: args.view,
        bounds: bounds.clone(),
    };
    let process = match args.metric_states {
        0 => Some(BTreeMap::new()),
        _ => measuring.all(printer, &planned)?,
    };
    let are_measured = process.is_some();
    if let (false, Some(reason)) = (are_measured, bounds.stop()) {
        printer.warning(&measure::left(reason));
    }
    let by_states = (args.metric_states, &bounds);
    let scores = scores(printer, &stage, &folder, &planned, by_states)?;
    let process = process.unwrap_or_default();
    let digests = digests.in_order(&stage, &folder, &planned, process, scores)?;
    let index = digests.iter().map(serde_json::to_string);
    let index: std::result::Result<Vec<String>, _> = index.collect();
    let index = index.map_err(|error| Failure::Internal(error.to_string()))?;
    folder.write("index.jsonl", &(index.join("\n") + "\n"))?;
    folder.list_attempts()?;
    let lost = lost(&stage, &folder, &planned)?;
    let summary = Summary::new(&stage, &stacks, &digests, unfinished.list, lost);
    folder.write("summary.json", &pretty(&summary)?)?;
    let mut latency = latencies(&args.log_dir)?;
    latency.retain(|model, _| bench.models.contains_key(model));
    let shown = Shown {
        summary: &summary,
        latency,
    };
    match args.format {
        Format::Json => printer.json(&shown)?,
        Format::Text => printer.text(&shown.text())?,
    }
    notes::unproven(printer, &digests);
    let was_limited = unfinished.by_limit || !are_measured;
    Ok(match (summary.is_complete(), was_limited) {
        (true, false) => Exit::Done,
        (_, true) => Exit::Limit,
        (false, false) => Exit::Negative,
    })
}

/// The bench file with what the command line changes, and all prices that it gives.
fn bench(args: &BenchArgs) -> Result<(Bench, IndexMap<String, Price>)> {
    let mut bench = read::read(&args.bench)?;
    let prices = bench.models.iter();
    let prices = prices.filter_map(|(name, model)| Some((name.clone(), model.price?)));
    let prices = prices.collect();
    if let Some(epochs) = args.epochs {
        bench.epochs = epochs.get();
    }
    for model in bench.models.values_mut() {
        if let Some(url) = &args.base_url {
            model.base_url = Some(url.clone());
        }
        if let Some(format) = args.action_format {
            model.action_format = format;
        }
    }
    if !args.models.is_empty() {
        // Names are checked where episodes are listed; the others need no endpoint.
        bench.episodes(&args.models)?;
        bench.retain_models(&args.models);
    }
    Ok((bench, prices))
}

/// The models with the formats that they are asked in. Of one that has nothing left to play that is the format
/// it was asked in before: it is not tried again.
fn models_to_ask(
    bench: &Bench,
    folder: &Folder,
    wanted: &[Planned],
) -> Result<IndexMap<String, Model>> {
    let mut models = bench.models.clone();
    let formats = folder.formats()?;
    for (index, (name, model)) in models.iter_mut().enumerate() {
        let mut own = wanted.iter().filter(|it| bench.asked(it).contains(&index));
        let is_done = own.all(|planned| folder.is_finished(&planned.id));
        if let Some(format) = formats.get(name).filter(|_| is_done)
            && model.action_format == FormatChoice::Auto
        {
            model.action_format = *format;
        }
    }
    Ok(models)
}

fn cassette_path(args: &BenchArgs) -> PathBuf {
    let given = args.cassette_file.clone();
    given.unwrap_or_else(|| args.bench.with_extension("cassette.jsonl"))
}

/// The data that the threads share.
struct Work<'a> {
    stage: &'a Stage<'a>,
    stacks: &'a [Stack],
    folder: &'a Folder,
    ledger: &'a Ledger,
    bounds: Bounds,
    retries: u32,
}

/// The episodes that were left.
struct Left {
    list: Vec<Unfinished>,
    /// True if a limit or an interrupt is the reason.
    by_limit: bool,
}

/// The report of a thread on an episode.
type EpisodeResult = (usize, Result<Ended>);

impl Work<'_> {
    /// Plays all episodes that are not finished, several at a time.
    fn play_all(
        &self,
        printer: &Printer,
        planned: &[Planned],
        threads: NonZeroUsize,
    ) -> Result<Left> {
        let open: Vec<usize> = (0..planned.len())
            .filter(|&index| !self.folder.is_finished(&planned[index].id))
            .collect();
        let done = planned.len() - open.len();
        if done > 0 {
            let all = counted(planned.len(), "episode");
            printer.note(&format!("going on: {done} of {all} are finished"));
        }
        let next = AtomicUsize::new(0);
        let halt = AtomicBool::new(false);
        let (sender, results) = mpsc::channel::<EpisodeResult>();
        let mut reasons: Vec<Option<String>> = vec![None; planned.len()];
        let mut by_limit = false;
        let mut failure = None;
        let outages = AtomicUsize::new(0);
        let most_outages = OUTAGES_IN_A_ROW.max(threads.get().saturating_mul(2));
        thread::scope(|scope| {
            for _ in 0..threads.get().min(open.len()) {
                let sender = sender.clone();
                let (open, next, halt, outages) = (&open, &next, &halt, &outages);
                scope.spawn(move || {
                    while let Some(&index) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if halt.load(Ordering::Relaxed) {
                            break;
                        }
                        let ended = self.play_patiently(&planned[index]);
                        let is_outage = |ended: &Ended| ended.reason == EndReason::Infrastructure;
                        if ended.as_ref().is_ok_and(is_outage) {
                            outages.fetch_add(1, Ordering::Relaxed);
                        } else if !self.stage.bench.asked(&planned[index]).is_empty() {
                            outages.store(0, Ordering::Relaxed);
                        }
                        let ends_all = ended.as_ref().map_or(true, is_final)
                            || outages.load(Ordering::Relaxed) >= most_outages;
                        if ends_all {
                            halt.store(true, Ordering::Relaxed);
                        }
                        if sender.send((index, ended)).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let start = Instant::now();
            let mut finished = 0;
            for (index, ended) in results {
                match ended {
                    Ok(ended) => {
                        by_limit |= is_limit(&ended);
                        if ended.reason == EndReason::Configuration {
                            failure.get_or_insert(misconfigured(&planned[index], &ended));
                        }
                        if ended.reason.is_cut_short() {
                            let why = ended.detail.as_deref().unwrap_or(ended.reason.words());
                            reasons[index] = Some(why.to_owned());
                        } else {
                            finished += 1;
                        }
                        if let Err(error) = self.log_time(&planned[index], &ended) {
                            failure.get_or_insert(error);
                        }
                        printer.status(|| {
                            self.progress(
                                done + finished,
                                finished,
                                open.len(),
                                planned.len(),
                                start,
                            )
                        });
                    }
                    Err(error) => {
                        failure.get_or_insert(error);
                    }
                }
            }
        });
        if let Some(failure) = failure {
            return Err(failure);
        }
        let outages = outages.into_inner();
        if outages >= most_outages {
            printer.warning(&format!(
                "{outages} episodes in a row were cut short by an outage: the others are left for \
                 the next run"
            ));
        }
        let mut list = Vec::new();
        for (planned, reason) in planned.iter().zip(reasons) {
            if !self.folder.is_finished(&planned.id) {
                list.push(Unfinished {
                    id: planned.id.clone(),
                    reason: reason.unwrap_or_else(|| "not begun".to_owned()),
                });
            }
        }
        Ok(Left { list, by_limit })
    }

    /// Plays an episode, again if an outage has cut it short.
    fn play_patiently(&self, planned: &Planned) -> Result<Ended> {
        let mut tries = 0;
        loop {
            let ended = play(self.stage, self.stacks, self.folder, planned, &self.bounds)?;
            if ended.reason != EndReason::Infrastructure || tries == self.retries {
                return Ok(ended);
            }
            tries += 1;
        }
    }

    fn log_time(&self, planned: &Planned, ended: &Ended) -> Result<()> {
        let milliseconds = |time: Duration| (time.as_secs_f64() * 1e6).round() / 1e3;
        let took = ended.took;
        self.folder.append(
            "times.jsonl",
            &json!({
                "id": planned.id,
                "ticks": ended.ticks,
                "milliseconds": milliseconds(took.all),
                "in_models": milliseconds(took.model),
                "outside": milliseconds(took.all.saturating_sub(took.model)),
                "on_disk": milliseconds(took.disk),
            }),
        )
    }

    fn progress(
        &self,
        done: usize,
        fresh: usize,
        open: usize,
        all: usize,
        start: Instant,
    ) -> String {
        let (tokens, cost) = self.ledger.spent();
        let left =
            start.elapsed().as_secs_f64() / fresh.max(1) as f64 * (open - fresh.min(open)) as f64;
        let cost = cost.map_or_else(String::new, |cost| format!(", cost {cost:.4}"));
        format!("{done} of {all} episodes, {tokens} tokens{cost}, about {left:.0} s to go")
    }
}

/// Returns true if an end is one of the whole run.
const fn is_final(ended: &Ended) -> bool {
    is_limit(ended) || matches!(ended.reason, EndReason::Configuration)
}

/// Returns whether a limit or an interrupt has cut an episode short.
const fn is_limit(ended: &Ended) -> bool {
    matches!(ended.reason, EndReason::Limit | EndReason::Interrupted)
}

/// The report of a model that cannot be asked as the file says.
fn misconfigured(planned: &Planned, ended: &Ended) -> Failure {
    let why = ended.detail.as_deref().unwrap_or(ended.reason.words());
    Failure::usage(
        format!("{}: {why}", planned.id),
        "what is finished is kept, and the same command goes on where this run was",
    )
}
