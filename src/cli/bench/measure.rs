//! Process metrics of the finished episodes, problem by problem.
//!
//! Searches are limited by the states they may store and not by the clock, so equal logs have equal metrics. The common
//! parts of the episodes of a problem are searched for once; so that the report of one never depends on when it was
//! played, all of a problem are measured again once one is added.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use serde::{Deserialize, Serialize};

use super::config::Planned;
use super::folder::Folder;
use super::play::Bounds;
use super::process::Brief;
use super::stage::Stage;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::knowledge::{Taken, ViewArgs};
use crate::cli::plannable;
use crate::cli::printer::Printer;
use crate::diagnostics::words::counted;
use crate::episode::Log;
use crate::score::process::{self, CostToGo, Process};
use crate::search::{Control, StopReason};

/// The file that holds the metrics of all episodes, a line for each.
const FILE: &str = "process.jsonl";

/// A line of the file.
#[derive(Serialize)]
struct Line<'a> {
    problem: &'a str,
    /// The most states that each search might store.
    max_states: u64,
    /// The knowledge that is assumed of facts that come unannounced, where some do.
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<&'static str>,
    #[serde(flatten)]
    process: &'a Process,
}

/// The fields that decide if a line can be kept.
#[derive(Deserialize)]
struct Kept {
    problem: String,
    max_states: u64,
    #[serde(default)]
    view: Option<String>,
    id: String,
}

/// The subject and the options of a measurement.
pub(super) struct Measuring<'a> {
    pub(super) stage: &'a Stage<'a>,
    pub(super) folder: &'a Folder,
    /// The most states that a search may store.
    pub(super) max_states: u64,
    /// The knowledge that is assumed of facts that come unannounced.
    pub(super) view: ViewArgs,
    pub(super) bounds: Bounds,
}

/// Forgets the metrics of episodes of which the log is gone: another may come in its place.
pub(super) fn forget(folder: &Folder) -> Result<()> {
    // What cannot be read is measured again.
    let text = files::read_own_log(&folder.path(FILE)).unwrap_or_default();
    let is_there = |line: &&str| {
        serde_json::from_str::<Kept>(line).map_or(true, |kept| folder.is_finished(&kept.id))
    };
    let kept: String = text
        .lines()
        .filter(is_there)
        .flat_map(|line| [line, "\n"])
        .collect();
    if kept.lines().eq(text.lines()) {
        return Ok(());
    }
    folder.write(FILE, &kept)
}

impl Measuring<'_> {
    /// Measures the finished ones of these episodes, and writes the results to the folder; then returns the table
    /// entries of each. `None` if a limit of time or an interrupt came before the end.
    pub(super) fn all(
        &self,
        printer: &Printer,
        planned: &[Planned],
    ) -> Result<Option<BTreeMap<String, Brief>>> {
        self.note_unplanned(printer);
        let is_measured = |planned: &&Planned| {
            let task = &self.stage.problems[planned.problem].task;
            self.folder.is_finished(&planned.id) && !task.has_nature() && !task.any_order
        };
        let finished: Vec<&Planned> = planned.iter().filter(is_measured).collect();
        let kept = self.kept();
        let mut lines: BTreeMap<&str, String> = BTreeMap::new();
        let mut open: Vec<Vec<&Planned>> = Vec::new();
        for (problem, compiled) in self.stage.problems.iter().enumerate() {
            let of_problem = finished.iter().filter(|it| it.problem == problem);
            let group: Vec<&Planned> = of_problem.copied().collect();
            let known = kept.get(&compiled.title).map_or(&[][..], Vec::as_slice);
            if group
                .iter()
                .map(|it| &it.id)
                .eq(known.iter().map(|(id, _)| id))
            {
                let known = known.iter().map(|(_, line)| line.clone());
                lines.extend(group.iter().map(|it| it.id.as_str()).zip(known));
            } else {
                open.push(group);
            }
        }
        let known = lines.len();
        let measured = self.measure(&open, &|done| {
            let of_all = counted(finished.len(), "episode");
            printer.status(|| format!("process metrics: {} of {of_all}", known + done));
        })?;
        let Some(measured) = measured else {
            return Ok(None);
        };
        lines.extend(measured);
        let in_order = finished.iter().map(|it| lines[it.id.as_str()].as_str());
        let text: String = in_order.flat_map(|line| [line, "\n"]).collect();
        self.folder.write(FILE, &text)?;
        let briefs = lines.into_iter().map(|(id, line)| {
            let brief = serde_json::from_str(&line);
            let brief = brief.map_err(|error| Failure::Internal(format!("{FILE}: {error}")))?;
            Ok((id.to_owned(), brief))
        });
        briefs.collect::<Result<_>>().map(Some)
    }

    /// Names the problems of which there are no metrics, as they are not planned.
    fn note_unplanned(&self, printer: &Printer) {
        for problem in &self.stage.problems {
            if let Err(failure) = plannable::check(&problem.task, "no process metrics") {
                printer.note(&format!("{}: {failure}", problem.title));
            }
        }
    }

    /// The lines of an earlier run that were made in the same way, with their episodes, by problem.
    fn kept(&self) -> BTreeMap<String, Vec<(String, String)>> {
        let path = self.folder.path(FILE);
        let mut kept: BTreeMap<String, Vec<(String, String)>> = BTreeMap::new();
        // What cannot be read is measured again.
        let text = files::read_own_log(&path).unwrap_or_default();
        for line in text.lines() {
            if let Ok(Kept {
                problem,
                max_states,
                view,
                id,
            }) = serde_json::from_str(line)
                && max_states == self.max_states
                && view.is_none_or(|view| view == self.view.name())
                && serde_json::from_str::<Brief>(line).is_ok()
            {
                kept.entry(problem).or_default().push((id, line.to_owned()));
            }
        }
        kept
    }

    /// The lines of all episodes of these groups, each of one problem.
    fn measure<'p>(
        &self,
        groups: &[Vec<&'p Planned>],
        done: &dyn Fn(usize),
    ) -> Result<Option<Vec<(&'p str, String)>>> {
        let next = AtomicUsize::new(0);
        let lines = Mutex::new(Vec::new());
        let (sender, results) = mpsc::channel::<Result<bool>>();
        let threads = self.bounds.search.threads().get().min(groups.len());
        let mut outcome = Ok(true);
        thread::scope(|scope| {
            for _ in 0..threads {
                let sender = sender.clone();
                let (next, lines) = (&next, &lines);
                scope.spawn(move || {
                    while let Some(group) = groups.get(next.fetch_add(1, Ordering::Relaxed)) {
                        let went_on = self.group(group, |line| {
                            let mut lines = lines.lock().unwrap_or_else(PoisonError::into_inner);
                            lines.push(line);
                            // Whoever listens no longer has heard of a failure.
                            let _ = sender.send(Ok(true));
                        });
                        if !matches!(went_on, Ok(true)) {
                            let _ = sender.send(went_on);
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut count = 0;
            for one in results {
                match one {
                    Ok(true) => {
                        count += 1;
                        done(count);
                    }
                    stopped if outcome.is_ok() => outcome = stopped,
                    _ => {}
                }
            }
        });
        let lines = lines.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(outcome?.then_some(lines))
    }

    /// Measures the episodes of one problem, in order. `false` if it was stopped.
    fn group<'p>(
        &self,
        group: &[&'p Planned],
        mut add: impl FnMut((&'p str, String)),
    ) -> Result<bool> {
        let Some(first) = group.first() else {
            return Ok(true);
        };
        let options = self
            .bounds
            .search
            .clone()
            .with_max_states(self.max_states)
            // Groups have threads, and what is found does not depend on their number.
            .with_threads(std::num::NonZeroUsize::MIN);
        let problem = &self.stage.problems[first.problem];
        let mut known = problem.task.clone();
        let view = self.view.of(&mut known);
        let mut costs = CostToGo::informed(&known, &problem.task, options);
        for planned in group {
            let path = self.folder.log(&planned.id);
            let log = Log::parse(&files::read_own_log(&path)?)
                .map_err(|error| Failure::malformed(&path, error))?;
            let process = process::of(&mut costs, &log, &planned.id, &self.bounds)
                .map_err(|error| Failure::malformed(&path, error))?;
            if self.bounds.stop().is_some() {
                return Ok(false);
            }
            let line = Line {
                problem: &problem.title,
                max_states: self.max_states,
                view: view.map(Taken::name),
                process: &process,
            };
            let line = serde_json::to_string(&line);
            let line = line.map_err(|error| Failure::Internal(error.to_string()))?;
            add((planned.id.as_str(), line));
        }
        Ok(true)
    }
}

/// Returns the reason why metrics are left, in words.
pub(super) fn left(reason: StopReason) -> String {
    format!("process metrics were not finished: {reason}; the same command goes on")
}
