//! `brigade score`: episodes against references.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use serde::Serialize;

use super::args::{DomainArgs, Format, LimitArgs, ProblemArgs};
use super::bundled;
use super::control::{Deadline, catch_interrupts};
use super::exit::{Exit, Failure, Result};
use super::files;
use super::load::{Purpose, load};
use super::printer::Printer;
use super::rats::derive;
use super::solve::{Key, exit, sentence};
use crate::episode::{Episode, Log};
use crate::report::cost::scaled;
use crate::report::table::Table;
use crate::score::derived::DerivedReferences;
use crate::score::episode_log::parse_episodes;
use crate::score::episode_regret::{EpisodeRegret, RegretError, episode_regret};
use crate::score::event_log::recorded_episode;
use crate::score::options::ShareOf;
use crate::score::process::{self, CostToGo, Process, ProcessError, Unit};
use crate::score::report::SCHEMA;
use crate::score::tes::{Beta, Matching};
use crate::score::upstream::published_time;
use crate::score::{
    ActionSpace, EpisodeScore, Fraction, Options, RecordedEpisode, ReferenceSet, Report,
    TaskContext, score_episode,
};
use crate::task::Task;
use crate::words::{agent_name, counted};

/// How every event log begins.
const LOG_START: &str = "{\"event\":\"header\"";

/// Most bytes of a compressed file once it is unpacked.
const MAX_UNPACKED: u64 = 1 << 30;

/// Arguments of `score`.
#[derive(Debug, Args)]
pub(super) struct ScoreArgs {
    /// Event logs of `brigade run`, with `--problem`; or recorded episodes (JSON, JSONL, `.gz`, or
    /// folders of them), with `--references`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The problem that was played: logs are scored against all its references
    #[arg(long, value_name = "PROBLEM", conflicts_with = "references")]
    problem: Option<PathBuf>,

    #[command(flatten)]
    domain: DomainArgs,

    /// A folder of annotated reference files, `<level>_<order>.json` or `<order>.json`
    #[arg(long, value_name = "DIR",
          conflicts_with_all = ["domain", "semantics", "time_limit", "memory_limit"])]
    references: Option<PathBuf>,

    /// How scores are counted [default: brigade for event logs, upstream for recorded episodes]
    #[arg(long, value_enum, value_name = "RULE")]
    rule: Option<Rule>,

    /// β of TES, such as 0.95
    #[arg(long, value_name = "NUMBER")]
    beta: Option<String>,

    /// γ: a success takes at most ⌊γ·T⌋; `none` for no limit
    #[arg(long, value_name = "NUMBER")]
    gamma: Option<String>,

    /// What is matched of a reference
    #[arg(long, value_enum)]
    matching: Option<MatchingName>,

    /// Also find the exact optimal cost-to-go before and after each action of event logs
    #[arg(long, requires = "problem", conflicts_with = "references")]
    regret: bool,

    /// Also tell of event logs, timestep by timestep, which choice lost what, why commands were refused,
    /// and what requests were worth; what cannot be had within the limits is left out
    #[arg(long, requires = "problem", conflicts_with = "references")]
    process: bool,

    #[command(flatten)]
    limits: LimitArgs,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// A named set of scoring options.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Rule {
    /// The evaluation code published with Collab-Overcooked.
    Upstream,
    /// What its paper defines.
    Paper,
    /// As `paper`, without its time limit.
    Brigade,
}

/// See [`Matching`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MatchingName {
    /// The longest prefix of the reference that is a subsequence.
    Prefix,
    /// The longest common subsequence.
    CommonSubsequence,
}

#[derive(Serialize)]
struct Document {
    /// The version of the document's form, where no report says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<u32>,
    /// The task whose references are scored against, if one is.
    #[serde(flatten)]
    task: Option<TaskName>,
    /// Left out where the references of a task are not known and something else is asked for.
    #[serde(flatten)]
    report: Option<Report>,
    #[serde(skip_serializing_if = "Option::is_none")]
    regret: Option<Vec<EpisodeRegret>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    process: Option<Vec<Process>>,
}

/// An event log, with the name of its file and of its episode.
struct NamedLog {
    path: PathBuf,
    id: String,
    log: Log,
}

/// What names a task.
#[derive(Serialize)]
struct TaskName {
    problem: String,
    domain: String,
    semantics: String,
}

impl MatchingName {
    const fn name(self) -> &'static str {
        match self {
            Self::Prefix => "prefix",
            Self::CommonSubsequence => "common-subsequence",
        }
    }
}

/// Scores episodes.
pub(super) fn run(printer: &Printer, args: &ScoreArgs) -> Result {
    match (&args.problem, &args.references) {
        (Some(problem), _) => score_logs(printer, args, problem),
        (None, Some(references)) => score_recorded(printer, args, references),
        (None, None) => Err(Failure::usage(
            "there is nothing to score against",
            "give `--problem PROBLEM` for event logs, `--references DIR` for recorded episodes",
        )),
    }
}

/// Scores event logs against all references of their problem.
fn score_logs(printer: &Printer, args: &ScoreArgs, problem: &Path) -> Result {
    catch_interrupts(printer);
    let control = Deadline::new(printer, args.limits.time_limit);
    let options = options(args, Rule::Brigade)?;
    if options.tes.matching == Matching::CommonSubsequence {
        return Err(Failure::usage(
            "common subsequences are matched against annotated references only",
            "leave out `--matching`, or give `--references DIR`",
        ));
    }
    let logs = named_logs(printer, &args.files)?;
    let loaded = load(
        printer,
        &ProblemArgs {
            problem: problem.to_owned(),
            domain: args.domain.clone(),
        },
        Purpose::Play,
        &|| control.over(),
    )?;
    let task = &loaded.task;
    check(task, &logs)?;
    let mut costs = CostToGo::new(task, args.limits.search());
    // First, since a limit leaves some of it, but nothing of what needs all references.
    let processes = args
        .process
        .then(|| processes(&mut costs, &logs, &control))
        .transpose()?;
    let report = report(printer, args, task, &logs, options, &control)?;
    let regrets = args
        .regret
        .then(|| regrets(printer, &mut costs, &logs, &control))
        .transpose()?;
    let complete = report.is_some()
        && regrets.as_ref().is_none_or(|all| all.len() == logs.len())
        && processes.iter().flatten().all(Process::is_complete);
    let document = Document {
        schema: report.is_none().then_some(SCHEMA),
        task: Some(TaskName {
            problem: task.problem.clone(),
            domain: task.domain.clone(),
            semantics: task.semantics.clone(),
        }),
        report,
        regret: regrets,
        process: processes,
    };
    show(printer, args, &document)?;
    Ok(if complete { Exit::Done } else { Exit::Limit })
}

fn named_logs(printer: &Printer, files: &[PathBuf]) -> Result<Vec<NamedLog>> {
    let named = files.iter().map(|path| {
        let log = event_log(path)?;
        if log.truncated {
            printer.warning(&format!(
                "{}: the last line is cut off, and left out",
                path.display()
            ));
        }
        let id = path.file_stem().unwrap_or_default().to_string_lossy();
        Ok(NamedLog {
            path: path.clone(),
            id: id.into_owned(),
            log,
        })
    });
    named.collect()
}

/// Refuses logs of other tasks, and such as are not true.
fn check(task: &Task, logs: &[NamedLog]) -> Result<()> {
    let fingerprint = crate::task::json::fingerprint(task);
    for NamedLog { path, log, .. } in logs {
        let path = path.display();
        if log.header.task != fingerprint {
            return Err(Failure::usage(
                format!(
                    "{path}: the log is of another task: problem {}, semantics {}",
                    log.header.problem, log.header.semantics
                ),
                "give the problem, domain and semantics that the episode was run with",
            ));
        }
        Episode::new(task, log.header.rules)
            .verify(log)
            .map_err(|error| Failure::Unusable(format!("{path}: the log is not true: {error}")))?;
    }
    Ok(())
}

/// The scores against all references. Where these are not known there are none, which is a failure
/// unless process metrics are asked for.
fn report(
    printer: &Printer,
    args: &ScoreArgs,
    task: &Task,
    logs: &[NamedLog],
    options: Options,
    control: &Deadline<'_>,
) -> Result<Option<Report>> {
    let derived = match derive(task, None, &args.limits.search(), control)? {
        Ok(derived) => derived,
        Err(result) => {
            let key = Key::first(task, super::args::ObjectiveName::Declared);
            let reason = match result.dag_stopped {
                Some(reason) => format!("not all optimal plans were collected: {reason}"),
                None => sentence(task, &result, key),
            };
            if args.process {
                printer.warning(&format!(
                    "no references, so no scores against them: {reason}"
                ));
                return Ok(None);
            }
            return Err(Failure::NoReferences {
                reason,
                exit: exit(&result),
            });
        }
    };
    let model = DerivedReferences(&derived.references);
    let space = own_labels(task);
    let context = TaskContext {
        reference_time: derived.plan.value.makespan.checked_sub(1),
        action_space: Some(&space),
        ..TaskContext::new(&model)
    };
    let scores = logs.iter().map(|NamedLog { id, log, .. }| {
        score(&recorded_episode(task, log, id), &context, &options)
    });
    let scores = scores.collect::<Result<Vec<_>>>()?;
    Ok(Some(Report::new(options, scores)))
}

/// The regret of each log of which it is known.
fn regrets(
    printer: &Printer,
    costs: &mut CostToGo<'_>,
    logs: &[NamedLog],
    control: &Deadline<'_>,
) -> Result<Vec<EpisodeRegret>> {
    let mut regrets = Vec::new();
    for NamedLog { path, id, log } in logs {
        let path = path.display();
        match episode_regret(costs, log, id, control) {
            Ok(regret) => regrets.push(regret),
            Err(RegretError::Stopped(reason)) => {
                printer.warning(&format!("{path}: no regret: {reason}"));
            }
            Err(RegretError::Log(message)) => {
                return Err(Failure::Unusable(format!("{path}: {message}")));
            }
        }
    }
    Ok(regrets)
}

/// The process metrics of each log.
fn processes(
    costs: &mut CostToGo<'_>,
    logs: &[NamedLog],
    control: &Deadline<'_>,
) -> Result<Vec<Process>> {
    let all = logs.iter().map(|NamedLog { path, id, log }| {
        process::of(costs, log, id, control).map_err(|error: ProcessError| {
            Failure::Unusable(format!("{}: {error}", path.display()))
        })
    });
    all.collect()
}

/// Reads an event log, and says what else it is that cannot be read so.
fn event_log(path: &Path) -> Result<Log> {
    let is_packed = path.extension().is_some_and(|extension| extension == "gz");
    let text = if is_packed {
        unpack(path)?
    } else {
        files::read_log(path)?
    };
    Log::parse(&text).map_err(|error| {
        let is_log = text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with(LOG_START);
        if !is_log && parse_episodes(&text).is_ok() {
            return Failure::usage(
                format!("{}: holds recorded episodes", path.display()),
                "give `--references DIR` in place of `--problem`",
            );
        }
        Failure::file(path, error)
    })
}

/// The labels of each agent: the action strings known of a task.
fn own_labels(task: &Task) -> ActionSpace {
    ActionSpace::new(task.agents.iter().map(|_| task.labels.iter()))
}

/// Scores recorded episodes against annotated references.
fn score_recorded(printer: &Printer, args: &ScoreArgs, references: &Path) -> Result {
    if !references.is_dir() {
        return Err(Failure::file(references, "is not a folder of references"));
    }
    let options = options(args, Rule::Upstream)?;
    let space = bundled::published_action_space();
    let mut sets: BTreeMap<(u32, String), ReferenceSet> = BTreeMap::new();
    let mut scores = Vec::new();
    for path in expand(&args.files)? {
        let text = unpack(&path)?;
        if text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with(LOG_START)
        {
            return Err(Failure::usage(
                format!("{}: is an event log", path.display()),
                "give `--problem PROBLEM` in place of `--references`",
            ));
        }
        let episodes = parse_episodes(&text).map_err(|error| Failure::file(&path, error))?;
        for mut episode in episodes {
            if episode.id.is_empty() {
                episode.id = path
                    .file_stem()
                    .unwrap_or_default()
                    .to_string_lossy()
                    .into();
            }
            let key = (episode.level, episode.order.clone());
            if !sets.contains_key(&key) {
                let set = reference_set(references, &episode)?;
                sets.insert(key.clone(), set);
            }
            let context = TaskContext {
                action_space: Some(&space),
                reference_time: published_time(episode.level),
                ..TaskContext::new(&sets[&key])
            };
            let score = score_episode(&episode, &context, &options);
            scores.push(score.map_err(|error| {
                Failure::file(&path, format_args!("episode {}: {error}", episode.name()))
            })?);
        }
    }
    let document = Document {
        schema: None,
        task: None,
        report: Some(Report::new(options, scores)),
        regret: None,
        process: None,
    };
    show(printer, args, &document)?;
    Ok(Exit::Done)
}

fn score(
    episode: &RecordedEpisode,
    context: &TaskContext<'_>,
    options: &Options,
) -> Result<EpisodeScore> {
    score_episode(episode, context, options)
        .map_err(|error| Failure::Unusable(format!("{}: {error}", episode.name())))
}

/// The options of a rule, changed as the arguments say. IC and RC are shares of dialogs under each:
/// the number of required actions, which the paper takes, is not known here.
fn options(args: &ScoreArgs, default: Rule) -> Result<Options> {
    let wrong = |error: crate::score::ScoreError| Failure::Usage {
        message: error.to_string(),
        help: None,
    };
    let mut options = match args.rule.unwrap_or(default) {
        Rule::Upstream => Options::upstream(),
        Rule::Paper => Options::paper(),
        Rule::Brigade => Options::brigade(),
    };
    options.collaboration.share_of = ShareOf::Dialogs;
    if let Some(beta) = &args.beta {
        let beta: Fraction = beta.parse().map_err(wrong)?;
        options.tes.beta = Beta::new(beta).map_err(wrong)?;
    }
    match args.gamma.as_deref() {
        None => {}
        Some("none") => options.gamma = None,
        Some(gamma) => options.gamma = Some(gamma.parse().map_err(wrong)?),
    }
    match args.matching {
        None => {}
        Some(MatchingName::Prefix) => options.tes.matching = Matching::Prefix,
        Some(MatchingName::CommonSubsequence) => {
            options.tes.matching = Matching::CommonSubsequence;
        }
    }
    Ok(options)
}

/// Folders replaced by the episode files in them, by name.
fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let entries = std::fs::read_dir(path).map_err(|error| Failure::unreadable(path, &error))?;
        let mut inside: Vec<PathBuf> = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .filter(|path| {
                let extension = path.extension().and_then(|extension| extension.to_str());
                matches!(extension, Some("json" | "jsonl" | "gz"))
            })
            .collect();
        if inside.is_empty() {
            return Err(Failure::file(path, "holds no episode (.json, .jsonl, .gz)"));
        }
        inside.sort();
        files.extend(inside);
    }
    Ok(files)
}

/// The text of a file that may be compressed.
fn unpack(path: &Path) -> Result<String> {
    if path.extension().is_none_or(|extension| extension != "gz") {
        return files::read_text(path);
    }
    let bytes = files::read(path)?;
    let mut text = String::new();
    flate2::read::MultiGzDecoder::new(&bytes[..])
        .take(MAX_UNPACKED)
        .read_to_string(&mut text)
        .map_err(|error| Failure::file(path, format_args!("is no whole gzip file: {error}")))?;
    Ok(text)
}

/// The annotated references of an episode's order.
fn reference_set(folder: &Path, episode: &RecordedEpisode) -> Result<ReferenceSet> {
    if episode.order.contains(['/', '\\']) {
        return Err(Failure::Unusable(format!(
            "episode {}: the order `{}` is no name of a task",
            episode.name(),
            episode.order
        )));
    }
    let names = [
        format!("{}_{}.json", episode.level, episode.order),
        format!("{}.json", episode.order),
    ];
    let paths = names.iter().map(|name| folder.join(name));
    let Some(path) = paths.clone().find(|path| path.is_file()) else {
        return Err(Failure::usage(
            format!(
                "{}: no references for order `{}`",
                folder.display(),
                episode.order
            ),
            format!("it should hold {}", names.join(" or ")),
        ));
    };
    ReferenceSet::parse(&files::read_text(&path)?).map_err(|error| Failure::file(&path, error))
}

fn show(printer: &Printer, args: &ScoreArgs, document: &Document) -> Result<()> {
    if args.format == Format::Json {
        return printer.json(document);
    }
    let mut parts: Vec<String> = Vec::new();
    if let Some(report) = &document.report {
        parts.push(report_text(args, report, document.task.as_ref()));
    }
    parts.extend(document.regret.iter().flatten().map(regret_text));
    let processes = document.process.iter().flatten();
    parts.extend(processes.map(|process| {
        crate::report::process::render(process, &|value| scaled(value, process.scale).to_string())
    }));
    printer.text(&parts.join("\n"))
}

/// The rule, and the tables of scores.
fn report_text(args: &ScoreArgs, report: &Report, task: Option<&TaskName>) -> String {
    let changed = [
        ("beta", args.beta.as_deref()),
        ("gamma", args.gamma.as_deref()),
        ("matching", args.matching.map(MatchingName::name)),
    ];
    let changed = changed
        .iter()
        .filter_map(|(option, value)| Some(format!(", {option} {}", (*value)?)));
    let semantics = task.map_or_else(String::new, |task| {
        format!(", semantics {}", task.semantics)
    });
    let mut text = format!(
        "rule {}{}{semantics}\n\n",
        report.options.rule,
        changed.collect::<String>()
    );
    text.push_str(&table(report.episode_table()));
    if report.episodes.len() > 1 {
        text.push_str(&format!("\n{}", table(report.task_table())));
        if let Some(levels) = report.level_table().filter(|_| report.tasks.len() > 1) {
            text.push_str(&format!("\n{}", table(levels)));
        }
    }
    text
}

fn table(from: crate::score::table::Table) -> String {
    let mut table = Table::new(from.columns.iter().map(|column| column.name));
    for (index, _) in from.columns.iter().enumerate().filter(|(_, c)| c.is_number) {
        table = table.right(index);
    }
    for row in from.rows {
        table.row(row);
    }
    table.render()
}

/// What regret counts, in ticks or in the problem's units.
pub(super) fn in_units(episode: &EpisodeRegret, value: i64) -> serde_json::Number {
    scaled(value, episode.scale)
}

/// The actions that cost something, and the sum.
fn regret_text(episode: &EpisodeRegret) -> String {
    let sign = match episode.unit {
        Unit::Ticks | Unit::Cost => 1,
        Unit::NegatedCost => -1,
    };
    let value = |value: Option<i64>| {
        value.map_or("∞".to_owned(), |value| {
            in_units(episode, sign * value).to_string()
        })
    };
    let lost = |lost: Option<u64>| {
        lost.map_or("∞".to_owned(), |lost| {
            in_units(episode, lost as i64).to_string()
        })
    };
    let columns = ["tick", "agent", "action", "to go", "then", "regret"];
    let mut table = [0, 3, 4, 5]
        .into_iter()
        .fold(Table::new(columns), Table::right);
    // After the step into a dead end nothing is left to lose.
    let lasting = episode.regret.dead_end.map_or(usize::MAX, |step| step + 1);
    for action in episode.actions.iter().take(lasting) {
        if action.regret != Some(0) {
            let agents: Vec<&str> = action.agents.iter().map(|name| agent_name(name)).collect();
            table.row([
                action.tick.to_string(),
                agents.join(" + "),
                action.actions.join(" + "),
                value(action.before),
                value(action.after),
                lost(action.regret),
            ]);
        }
    }
    let regret = &episode.regret;
    let spent = match episode.unit {
        Unit::Ticks => counted(regret.cost, "tick"),
        Unit::Cost | Unit::NegatedCost => format!("cost {}", value(Some(regret.cost))),
    };
    let mut text = format!(
        "{}: regret {} over {spent} (optimum {}, {} to go at the end)\n",
        episode.id,
        lost(regret.total),
        value(regret.optimum),
        value(regret.remaining),
    );
    if regret.first_deviation.is_some() {
        text.push_str(&table.render());
    }
    text
}
