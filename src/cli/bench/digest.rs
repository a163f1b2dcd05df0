//! What is told of an episode that is finished, read from its log: so what is told after a run that was
//! resumed is what is told after one that was not.

use std::fmt::Display;
use std::path::Path;

use serde::Serialize;

use super::config::{Planned, file_safe};
use super::folder::{Folder, trial_of};
use super::process::Brief;
use super::stage::Stage;
use super::tally::{Tally, Tokens};
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::episode::{End, EndReason, Episode, Log};

/// A line of the index.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Digest {
    pub(super) id: String,
    pub(super) problem: String,
    pub(super) setup: String,
    /// `None` where no model is asked.
    pub(super) model: Option<String>,
    pub(super) seed: u64,
    pub(super) epoch: u32,
    /// How often the task was tried, the last time included.
    pub(super) trials: u32,
    pub(super) reason: EndReason,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) detail: Option<String>,
    /// Whether the agents did what the task asks for.
    pub(super) success: bool,
    pub(super) ticks: u32,
    pub(super) max_ticks: u32,
    pub(super) optimum: Option<u32>,
    pub(super) labels: usize,
    pub(super) refused: usize,
    #[serde(flatten)]
    pub(super) tally: Tally,
    pub(super) cost: Option<f64>,
    /// Its process metrics in brief, where they were asked for.
    pub(super) process: Option<Brief>,
}

/// The digest of an episode, if it is finished.
pub(super) fn digest(
    stage: &Stage<'_>,
    folder: &Folder,
    planned: &Planned,
    process: Option<Brief>,
) -> Result<Option<Digest>> {
    if !folder.is_finished(&planned.id) {
        return Ok(None);
    }
    let mut tally = Tally::new();
    let mut trials = 1;
    loop {
        let path = folder.log(&format!("{}.trial{trials}", planned.id));
        if !path.is_file() {
            break;
        }
        for event in &true_log(stage, planned, &path)?.events {
            tally.count(event);
        }
        trials += 1;
    }
    let path = folder.log(&planned.id);
    let log = true_log(stage, planned, &path)?;
    for event in &log.events {
        tally.count(event);
    }
    let Some(end) = log.end() else {
        return Err(damaged(&path, "the log has no end"));
    };
    let End {
        reason,
        detail,
        ticks,
        labels,
        refused,
        ..
    } = end.clone();
    let problem = &stage.problems[planned.problem];
    let model = planned
        .model
        .and_then(|model| stage.bench.models.get_index(model));
    let price = model.and_then(|(_, model)| model.price);
    Ok(Some(Digest {
        id: planned.id.clone(),
        problem: problem.title.clone(),
        setup: stage.bench.setups[planned.setup].name.clone(),
        model: model.map(|(name, _)| name.clone()),
        seed: planned.seed,
        epoch: planned.epoch,
        trials,
        reason,
        detail,
        success: reason.is_success(&problem.task),
        ticks,
        max_ticks: stage.max_ticks(planned),
        optimum: problem.optimum,
        labels,
        refused,
        cost: price.map(|price| tally.tokens.cost(price)),
        tally,
        process,
    }))
}

/// The tokens of attempts that were cut short, and their cost where all prices are known.
pub(super) fn lost(stage: &Stage<'_>, folder: &Folder) -> Result<(Tokens, Option<f64>)> {
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
            // The id of an episode names problem, set-up, model, seed and repetition.
            let model = name.split('.').nth(2);
            let models = stage.bench.models.iter();
            let mut models = models.filter(|(name, _)| Some(&*file_safe(name)) == model);
            let price = models.next().and_then(|(_, model)| model.price);
            cost = cost
                .zip(price)
                .map(|(cost, price)| cost + tally.tokens.cost(price));
        }
    }
    Ok((tokens, cost))
}

/// The log of an episode, played again: figures come from what has happened.
fn true_log(stage: &Stage<'_>, planned: &Planned, path: &Path) -> Result<Log> {
    let log = Log::parse(&files::read_own_log(path)?).map_err(|error| damaged(path, error))?;
    let problem = &stage.problems[planned.problem];
    if log.header.task != problem.fingerprint || log.header.seed != planned.seed {
        return Err(damaged(path, "the log is of another episode"));
    }
    Episode::new(&problem.task, log.header.rules)
        .verify(&log)
        .map_err(|error| damaged(path, format_args!("the log is not true: {error}")))?;
    Ok(log)
}

/// A log that Brigade has not left so.
fn damaged(path: &Path, why: impl Display) -> Failure {
    Failure::usage(
        format!("{}: {why}", path.display()),
        "put the file back as it was written, or remove it: the episode is then played again",
    )
}
