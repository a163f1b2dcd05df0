//! Event logs scored against all references of their problem.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use indexmap::IndexMap;

use super::super::args::{ObjectiveName, ProblemArgs};
use super::super::control::Deadline;
use super::super::exit::{Exit, Failure, Result};
use super::super::key::Key;
use super::super::knowledge::Taken;
use super::super::load::{Purpose, load};
use super::super::pages::tasks::{Drawable, Tasks};
use super::super::plannable;
use super::super::printer::Printer;
use super::super::references::derive;
use super::super::solve::{exit, sentence};
use super::args::{Rule, ScoreArgs, options};
use super::evaluation::{self, is_evaluation, no_evaluation};
use super::show::{Document, TaskName, show};
use super::texts::{LOG_START, log_text, warn_if_cut};
use crate::episode::{Episode, Log, check_schema};
use crate::score::derived::DerivedReferences;
use crate::score::episode_log::parse_episodes;
use crate::score::episode_regret::{EpisodeRegret, RegretError, episode_regret};
use crate::score::event_log::recorded_episode;
use crate::score::process::{self, CostToGo, Process, ProcessError};
use crate::score::report::SCHEMA;
use crate::score::tes::Matching;
use crate::score::{
    ActionSpace, EpisodeScore, Options, Report, ScoreError, TaskContext, score_episode,
};
use crate::search::Outcome;
use crate::task::PackedTask;
use crate::task::json::fingerprint;

/// An event log, with the name of its file and of its episode.
struct NamedLog {
    path: PathBuf,
    id: String,
    log: Log,
}

/// Scores event logs against all references of their problems.
pub(super) fn score_logs(printer: &Printer, args: &ScoreArgs) -> Result {
    let control = Deadline::new(printer, args.limits.time_limit);
    let options = options(args, Rule::Brigade)?;
    if options.tes.matching == Matching::CommonSubsequence {
        return Err(Failure::usage(
            "common subsequences are matched against annotated references only",
            "leave out `--matching`, or give `--references DIR`",
        ));
    }
    let mut sums = Sums {
        complete: true,
        ..Sums::default()
    };
    let is_one = !args.files.iter().any(|path| is_evaluation(path));
    match args.problem.as_slice() {
        [problem] if is_one => {
            let logs = named_logs(printer, &args.files)?;
            let loaded = load(
                printer,
                &ProblemArgs {
                    problem: problem.clone(),
                    domain: args.domain.clone(),
                },
                Purpose::Play,
                &|| control.over(),
            )?;
            sums.add(printer, args, &loaded.task, &logs, &options, &control)?;
        }
        problems => {
            let logs = named_logs(printer, &files(&args.files)?)?;
            let mut tasks = Tasks::new(printer, problems, Some(&args.domain));
            for (task, logs) in by_task(&mut tasks, logs)? {
                sums.add(printer, args, &task.task, &logs, &options, &control)?;
            }
        }
    }
    let Sums {
        scores,
        complete,
        names,
        ..
    } = sums;
    let report = (!scores.is_empty()).then(|| Report::new(options, scores));
    if report.is_none() && !args.process {
        return Err(Failure::Stopped("an episode was scored"));
    }
    let mut names = names.into_iter();
    let document = Document {
        schema: report.is_none().then_some(SCHEMA),
        // Several tasks are named by their episodes.
        task: names.next().filter(|_| names.next().is_none()),
        report,
        view: sums.view,
        regret: args.regret.then_some(sums.regrets),
        process: args.process.then_some(sums.processes),
    };
    show(printer, args, &document)?;
    Ok(if complete { Exit::Done } else { Exit::Limit })
}

/// The findings on the logs of all tasks.
#[derive(Default)]
struct Sums {
    names: Vec<TaskName>,
    scores: Vec<EpisodeScore>,
    view: Option<&'static str>,
    regrets: Vec<EpisodeRegret>,
    processes: Vec<Process>,
    /// True if nothing is left out.
    complete: bool,
}

impl Sums {
    /// Adds the logs of a task.
    fn add(
        &mut self,
        printer: &Printer,
        args: &ScoreArgs,
        task: &PackedTask,
        logs: &[NamedLog],
        options: &Options,
        control: &Deadline<'_>,
    ) -> Result<()> {
        plannable::check(task, "there is no optimum to score against")?;
        check(task, logs)?;
        let mut known = task.clone();
        let view = args.view.of(&mut known);
        let mut costs = CostToGo::informed(&known, task, args.limits.search());
        // First, since a limit leaves some of it, but nothing of what needs all references. These get half of the time.
        if args.process {
            let processes = processes(&mut costs, logs, &control.half())?;
            self.complete &= processes.iter().all(Process::is_complete);
            self.processes.extend(processes);
        }
        let Scored { scores, is_whole } = scores(printer, args, task, logs, options, control)?;
        self.scores.extend(scores);
        self.complete &= is_whole;
        if args.regret {
            let regrets = regrets(printer, &mut costs, logs, control)?;
            self.complete &= regrets.len() == logs.len();
            self.regrets.extend(regrets);
        }
        self.view = self.view.or(view.map(Taken::name));
        self.names.push(TaskName {
            problem: task.problem.clone(),
            domain: task.domain.clone(),
            semantics: task.semantics.clone(),
        });
        Ok(())
    }
}

/// The paths of logs, where those of evaluations stand for their folders.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if is_evaluation(path) {
            files.extend(evaluation::logs(path)?);
        } else {
            files.push(path.clone());
        }
    }
    Ok(files)
}

/// The tasks of logs in the order of their first ones, each with its logs.
fn by_task(
    tasks: &mut Tasks<'_>,
    logs: Vec<NamedLog>,
) -> Result<Vec<(Rc<Drawable>, Vec<NamedLog>)>> {
    let mut parts: IndexMap<String, (Rc<Drawable>, Vec<NamedLog>)> = IndexMap::new();
    for log in logs {
        let header = &log.log.header;
        check_schema(header).map_err(|error| Failure::of_schema_1(&log.path, error))?;
        let Some(task) = tasks.of(header)? else {
            return Err(Failure::usage(
                format!(
                    "{}: problem `{}` is not at hand",
                    log.path.display(),
                    header.problem
                ),
                "give its file with `--problem`, as it was when it was played",
            ));
        };
        let key = header.task.clone();
        let part = parts.entry(key).or_insert_with(|| (task, Vec::new()));
        part.1.push(log);
    }
    Ok(parts.into_values().collect())
}

fn named_logs(printer: &Printer, files: &[PathBuf]) -> Result<Vec<NamedLog>> {
    let named = files.iter().map(|path| {
        if path.is_dir() {
            return Err(no_evaluation(path, ", or event logs"));
        }
        let log = event_log(path)?;
        warn_if_cut(printer, path, &log);
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
fn check(task: &PackedTask, logs: &[NamedLog]) -> Result<()> {
    let fingerprint = fingerprint(task);
    for NamedLog { path, log, .. } in logs {
        check_schema(&log.header).map_err(|error| Failure::of_schema_1(path, error))?;
        if log.header.task != fingerprint {
            return Err(of_another_task(path, log));
        }
        let path = path.display();
        Episode::new(task, log.header.rules)
            .verify(log)
            .map_err(|error| Failure::Unusable(format!("{path}: the log is not true: {error}")))?;
    }
    Ok(())
}

/// The failure of a log that was not made on the problem that is given for it.
pub(in crate::cli) fn of_another_task(path: &Path, log: &Log) -> Failure {
    Failure::usage(
        format!(
            "{}: the log is of another task: problem {}, semantics {}",
            path.display(),
            log.header.problem,
            log.header.semantics
        ),
        "give the problem, domain and semantics that the episode was run with",
    )
}

/// The scores that were found.
struct Scored {
    scores: Vec<EpisodeScore>,
    /// True if nothing is left out.
    is_whole: bool,
}

impl Scored {
    const NONE: Self = Self {
        scores: Vec::new(),
        is_whole: false,
    };
}

/// The scores against all references. Where these are not known there are none, which is a failure
/// unless process metrics are asked for. What is stopped is left out.
fn scores(
    printer: &Printer,
    args: &ScoreArgs,
    task: &PackedTask,
    logs: &[NamedLog],
    options: &Options,
    control: &Deadline<'_>,
) -> Result<Scored> {
    let derived = match derive(task, None, &args.limits.search(), control)? {
        Ok(derived) => derived,
        Err(result) => {
            let key = Key::first(task, ObjectiveName::Declared);
            let reason = match (result.dag_stopped, &result.outcome) {
                (Some(reason), _) => format!("not all optimal plans were collected: {reason}"),
                // The process metrics may know more of the optimum than the search for all plans.
                (None, Outcome::Bounded { reason, .. }) if args.process => reason.to_string(),
                (None, _) => sentence(task, &result, key),
            };
            if args.process || args.files.iter().any(|path| is_evaluation(path)) {
                printer.warning(&format!(
                    "{}: no references, so no scores against them: {reason}",
                    task.problem
                ));
                return Ok(Scored::NONE);
            }
            return Err(Failure::NoReferences {
                reason,
                exit: exit(&result),
            });
        }
    };
    let is_stopped = Cell::new(false);
    let stop = || {
        is_stopped.set(is_stopped.get() || control.over());
        is_stopped.get()
    };
    let model = DerivedReferences::new(&derived.references, &stop);
    let space = own_labels(task);
    let context = TaskContext {
        reference_time: derived.plan.value.makespan.checked_sub(1),
        action_space: Some(&space),
        ..TaskContext::new(&model)
    };
    let mut scores = Vec::new();
    for NamedLog { path, id, log } in logs {
        let episode = recorded_episode(task, log, id);
        let left_out = match score_episode(&episode, &context, options) {
            Ok(score) => {
                scores.push(score);
                "joint PC"
            }
            Err(ScoreError::Stopped) => "score",
            Err(error) => {
                return Err(Failure::Unusable(format!("{}: {error}", episode.name())));
            }
        };
        if is_stopped.get() {
            printer.warning(&format!(
                "{}: no {left_out}: stopped, by a limit or an interrupt",
                path.display()
            ));
        }
    }
    Ok(Scored {
        scores,
        is_whole: !is_stopped.get(),
    })
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
    let text = log_text(path)?;
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
        Failure::malformed(path, error)
    })
}

/// The labels of each agent: the action strings known of a task.
fn own_labels(task: &PackedTask) -> ActionSpace {
    ActionSpace::new(task.agents.iter().map(|_| task.labels.iter()))
}
