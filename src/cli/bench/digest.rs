//! The digest of a finished episode, read from its log: so the report after a run that was resumed is that after one
//! that was not.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

use indexmap::IndexMap;
use serde::Serialize;

use super::columns::COUNTS;
use super::config::{Bench, Planned};
use super::folder::{Folder, episode_of, trial_of};
use super::gaps::gap;
use super::process::Brief;
use super::scores::Scores;
use super::setup::{Policy, Team};
use super::stage::Stage;
use super::tally::{Tally, Tokens};
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::episode::{End, EndReason, Episode, Evaluated, Log, check_schema};
use crate::report::cost::{Amount, amounts};
use crate::report::formula::Sums;
use crate::task::PackedTask;
use crate::task::totals::Totals;

/// A line of the index.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Digest {
    pub(super) id: String,
    pub(super) problem: String,
    /// The group of the problem, if the bench file gives it one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) group: Option<String>,
    pub(super) setup: String,
    /// Its place among those of a set-up that stands for several.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub(super) team: Option<Team>,
    /// `None` where none is asked that the set-up does not name.
    pub(super) model: Option<String>,
    pub(super) seed: u64,
    pub(super) epoch: u32,
    /// The number of trials of the task, the last one included.
    pub(super) trials: u32,
    pub(super) reason: EndReason,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<String>,
    /// The limit for which the plans of `planner` are not proven to be optimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) unproven: Option<String>,
    /// True if the agents reached the goal; `None` in a task without one.
    pub(super) success: Option<bool>,
    pub(super) ticks: u32,
    pub(super) max_ticks: u32,
    pub(super) optimum: Option<u32>,
    pub(super) labels: usize,
    pub(super) refused: usize,
    /// The totals, in the problem's own units.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub(super) totals: IndexMap<String, Amount>,
    #[serde(flatten)]
    pub(super) tally: Tally,
    pub(super) cost: Option<f64>,
    /// Its scores against references, where the bench file declares some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) scores: Option<Scores>,
    /// Its process metrics in brief, where they were asked for.
    pub(super) process: Option<Brief>,
}

/// The digests of finished episodes, by their ids: each log is read once.
#[derive(Debug, Default)]
pub(super) struct Digests(BTreeMap<String, Digest>);

impl Digest {
    /// Totals of the episode, by name in lower case.
    pub(super) fn sums(&self) -> Sums {
        let totals = self.totals.iter();
        let mut sums: Sums = totals
            .map(|(name, amount)| (name.to_ascii_lowercase(), amount.to_f64()))
            .collect();
        let (ticks, calls) = (f64::from(self.ticks), self.tally.calls as f64);
        let counts = [1.0, ticks, calls, self.refused as f64];
        for (name, count) in COUNTS.into_iter().zip(counts) {
            sums.entry(name.to_owned()).or_insert(count);
        }
        sums
    }
}

impl Digests {
    /// Reads those of episodes that are finished by now.
    pub(super) fn read(
        &mut self,
        stage: &Stage<'_>,
        folder: &Folder,
        planned: &[Planned],
    ) -> Result<()> {
        for planned in planned {
            if !self.0.contains_key(&planned.id)
                && let Some(digest) = digest(stage, folder, planned)?
            {
                self.0.insert(planned.id.clone(), digest);
            }
        }
        Ok(())
    }

    /// All of them in the order of these episodes, with what was measured.
    pub(super) fn in_order(
        mut self,
        stage: &Stage<'_>,
        folder: &Folder,
        planned: &[Planned],
        mut process: BTreeMap<String, Brief>,
        mut scores: IndexMap<String, Scores>,
    ) -> Result<Vec<Digest>> {
        self.read(stage, folder, planned)?;
        let digests = planned.iter().filter_map(|planned| {
            let digest = self.0.remove(&planned.id)?;
            Some(Digest {
                process: process.remove(&planned.id),
                scores: scores.shift_remove(&planned.id),
                ..digest
            })
        });
        Ok(digests.collect())
    }
}

/// The digest of an episode, if it is finished. Its process metrics are measured later.
fn digest(stage: &Stage<'_>, folder: &Folder, planned: &Planned) -> Result<Option<Digest>> {
    if !folder.is_finished(&planned.id) {
        return Ok(None);
    }
    let path = folder.log(&planned.id);
    let (log, evaluated) = true_log(stage, planned, &path)?;
    let trials = evaluated.trial;
    let mut tally = Tally::new();
    for trial in 1..trials {
        let path = folder.log(&format!("{}.trial{trial}", planned.id));
        if !path.is_file() {
            return Err(Failure::usage(
                format!(
                    "{}: the log of this trial is gone, and a later one follows it",
                    path.display()
                ),
                format!(
                    "put the file back as it was written, or remove {}: the episode is then played \
                     again",
                    folder.log(&planned.id).display()
                ),
            ));
        }
        let (log, evaluated) = true_log(stage, planned, &path)?;
        if evaluated.trial != trial {
            return Err(damaged(&path, "the log is of another trial"));
        }
        for event in &log.events {
            tally.count(event);
        }
    }
    for event in &log.events {
        tally.count(event);
    }
    let Some(end) = log.end() else {
        return Err(damaged(&path, "the log has no end"));
    };
    let End {
        reason,
        detail,
        unproven,
        ticks,
        labels,
        refused,
        totals,
        ..
    } = end.clone();
    let problem = &stage.problems[planned.problem];
    let model = planned
        .model
        .and_then(|model| stage.bench.models.get_index(model));
    let setup = &stage.bench.setups[planned.setup];
    Ok(Some(Digest {
        id: planned.id.clone(),
        problem: problem.title.clone(),
        group: stage.bench.problems[planned.problem].group.clone(),
        setup: setup.name.clone(),
        team: setup
            .team
            .as_ref()
            .map(|team| team.of(&problem.task.agents)),
        model: model.map(|(name, _)| name.clone()),
        seed: planned.seed,
        epoch: planned.epoch,
        trials,
        reason,
        detail,
        unproven,
        success: reason.is_success(&problem.task),
        ticks,
        max_ticks: stage.max_ticks(planned),
        optimum: problem.optimum,
        labels,
        refused,
        totals: named(&problem.task, &totals),
        cost: cost(stage.bench, planned, &tally),
        tally,
        scores: None,
        process: None,
    }))
}

/// The cost of the answers of an episode; `None` where a price is not known, or no model is asked.
fn cost(bench: &Bench, planned: &Planned, tally: &Tally) -> Option<f64> {
    let asked = bench.asked(planned);
    let costs = asked.iter().map(|&model| {
        let (name, model) = bench.models.get_index(model)?;
        let tokens = tally.by_model.get(name).copied().unwrap_or_default();
        Some(tokens.cost(model.price?))
    });
    let cost: f64 = costs.sum::<Option<f64>>()?;
    (!asked.is_empty()).then_some(cost + 0.0)
}

/// The totals of a task by name.
fn named(task: &PackedTask, sums: &Totals) -> IndexMap<String, Amount> {
    let totals = amounts(task, sums).into_iter();
    totals
        .map(|(name, amount)| (name.to_owned(), amount))
        .collect()
}

/// The tokens of attempts of these episodes that were cut short, and their cost where all prices are
/// known.
pub(super) fn lost(
    stage: &Stage<'_>,
    folder: &Folder,
    planned: &[Planned],
) -> Result<(Tokens, Option<f64>)> {
    let planned: BTreeMap<&str, &Planned> = planned.iter().map(|it| (it.id.as_str(), it)).collect();
    let mut tokens = Tokens::default();
    let mut cost = Some(0.0);
    for path in folder.attempts()? {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Trials before the last are part of their episode, if that is finished.
        if let Some(id) = trial_of(&name)
            && folder.is_finished(id)
        {
            continue;
        }
        let Some(planned) = episode_of(&name).and_then(|id| planned.get(id)) else {
            continue;
        };
        // An attempt that was killed before its first line has no header, and asked nothing.
        let Ok(log) = Log::parse(&files::read_own_log(&path)?) else {
            continue;
        };
        let mut tally = Tally::new();
        for event in &log.events {
            tally.count(event);
        }
        tokens.add(tally.tokens);
        if tally.calls > 0 {
            let own = self::cost(stage.bench, planned, &tally);
            cost = cost.zip(own).map(|(cost, own)| cost + own);
        }
    }
    Ok((tokens, cost))
}

/// The log of an episode, played again: figures come from what has happened.
fn true_log(stage: &Stage<'_>, planned: &Planned, path: &Path) -> Result<(Log, Evaluated)> {
    let log = Log::parse(&files::read_own_log(path)?).map_err(|error| damaged(path, error))?;
    let problem = &stage.problems[planned.problem];
    let setup = &stage.bench.setups[planned.setup];
    let model = planned
        .model
        .and_then(|model| stage.bench.models.get_index(model));
    let is_of_it = |of: &Evaluated| {
        (&of.problem, &of.setup, of.model.as_ref(), of.epoch)
            == (
                &problem.title,
                &setup.name,
                model.map(|(name, _)| name),
                planned.epoch,
            )
    };
    let header = &log.header;
    check_schema(header).map_err(|error| damaged(path, error))?;
    let evaluated = header.evaluation.clone().filter(is_of_it);
    let is_played_so = header.task == problem.fingerprint
        && header.seed == planned.seed
        && header.rules.max_ticks == stage.max_ticks(planned);
    let Some(evaluated) = evaluated.filter(|_| is_played_so) else {
        return Err(damaged(path, "the log is of another episode"));
    };
    if log.end().is_none() {
        return Err(damaged(path, "the log has no end"));
    }
    Episode::new(&problem.task, log.header.rules)
        .verify(&log)
        .map_err(|error| damaged(path, format_args!("the log is not true: {error}")))?;
    let agents = &problem.task.agents;
    let asks = |name: &str| {
        let agent = agents.iter().find(|agent| agent.name == name);
        agent.is_some_and(|agent| matches!(setup.policy(agent), Policy::Design(_)))
    };
    match gap(&log, asks) {
        Some(gap) => Err(damaged(
            path,
            format_args!("lines of the log are gone: {gap}"),
        )),
        None => Ok((log, evaluated)),
    }
}

/// A log that Brigade has not left so.
fn damaged(path: &Path, why: impl Display) -> Failure {
    Failure::usage(
        format!("{}: {why}", path.display()),
        "put the file back as it was written, or remove it: the episode is then played again",
    )
}
