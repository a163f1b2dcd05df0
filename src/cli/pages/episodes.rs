//! Episodes for a page, with what the planner knows of them.

use serde_json::Value;

use super::tasks::{Drawable, Tasks};
use crate::cli::args::LimitArgs;
use crate::cli::control::Deadline;
use crate::cli::exit::{Failure, Result};
use crate::cli::plannable;
use crate::episode::{Episode, Log};
use crate::score::process::alternatives::alternatives;
use crate::score::process::{self, CostToGo};
use crate::view::document::{self, Alternative};
use crate::view::episode::{Beside, episode};
use crate::view::quantity::Quantity;

/// The most states that a search may store for the costs-to-go of one episode.
const MOST_STATES: u64 = 1_000_000;

/// Says where to get what the log of a task that is not at hand does not have.
const NO_TASK: &str = "the problem of the log is not at hand: `--problem FILE` gives it";

/// An episode with process metrics that are computed here.
pub(super) fn measured(
    tasks: &mut Tasks<'_>,
    id: &str,
    log: &Log,
    limits: LimitArgs,
    control: &Deadline<'_>,
) -> Result<document::Episode> {
    let found = tasks.of(&log.header)?;
    let Some(Drawable { task, layout }) = found.as_deref() else {
        let beside = Beside {
            missing: Some(NO_TASK),
            ..Beside::default()
        };
        return made(id, log, &beside);
    };
    Episode::new(task, log.header.rules)
        .verify(log)
        .map_err(|error| Failure::Unusable(format!("{id}: the log is not true: {error}")))?;
    if let Err(failure) = plannable::check(task, "there is no cost-to-go") {
        let missing = failure.to_string();
        let beside = Beside {
            task: Some(task),
            layout: layout.as_ref(),
            missing: Some(&missing),
            ..Beside::default()
        };
        return made(id, log, &beside);
    }
    let options = limits.search().with_max_states(MOST_STATES);
    let mut costs = CostToGo::new(task, options);
    let unusable = |error: process::ProcessError| Failure::Unusable(format!("{id}: {error}"));
    let metrics = process::of(&mut costs, log, id, control).map_err(unusable)?;
    let better = alternatives(&mut costs, log, &metrics, control).map_err(unusable)?;
    let better: Vec<Vec<Vec<Alternative>>> = better.into_iter().map(shown).collect();
    let metrics = serde_json::to_value(&metrics).unwrap_or_default();
    let beside = Beside {
        task: Some(task),
        layout: layout.as_ref(),
        process: Some(&metrics),
        better: &better,
        missing: None,
    };
    made(id, log, &beside)
}

/// An episode with the process metrics that its evaluation has.
pub(super) fn recorded(
    tasks: &mut Tasks<'_>,
    id: &str,
    log: &Log,
    metrics: Option<&Value>,
) -> Result<document::Episode> {
    let found = tasks.of(&log.header)?;
    let missing = "the evaluation has no process metrics of this episode";
    let beside = Beside {
        task: found.as_deref().map(|found| &found.task),
        layout: found.as_deref().and_then(|found| found.layout.as_ref()),
        process: metrics,
        missing: metrics.is_none().then_some(missing),
        ..Beside::default()
    };
    made(id, log, &beside)
}

fn made(id: &str, log: &Log, beside: &Beside<'_>) -> Result<document::Episode> {
    episode(id, log, beside)
        .map_err(|error| Failure::Unusable(format!("{id}: the log is not true: {error}")))
}

/// Alternatives of the choices of a timestep as a page shows them.
fn shown(step: Vec<Vec<process::alternatives::Alternative>>) -> Vec<Vec<Alternative>> {
    let of_choice = |choice: Vec<process::alternatives::Alternative>| {
        let exact = choice.into_iter().filter_map(|other| {
            Some(Alternative {
                value: Quantity::Exact(other.value.exact()?),
                action: other.action,
            })
        });
        exact.collect()
    };
    step.into_iter().map(of_choice).collect()
}
