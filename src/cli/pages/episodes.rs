//! Episodes for a page, with what the planner knows of them.

use indexmap::IndexMap;
use serde_json::Value;

use super::logs::ReadLog;
use super::tasks::{Drawable, Tasks};
use crate::cli::args::LimitArgs;
use crate::cli::control::Deadline;
use crate::cli::exit::{Failure, Result};
use crate::cli::plannable;
use crate::episode::Episode;
use crate::score::process::alternatives::alternatives;
use crate::score::process::{self, CostToGo};
use crate::view::document::{self, Alternative};
use crate::view::episode::{Beside, episode};
use crate::view::quantity::Quantity;

/// The most states that a search may store for the costs-to-go of one episode.
const MOST_STATES: u64 = 1_000_000;

/// Says where to get what the log of a task that is not at hand does not have.
const NO_TASK: &str = "the problem of the log is not at hand: `--problem FILE` gives it";

/// Episodes, in their order, with process metrics that are computed here. Those of one task share a table of costs-to-go.
pub(super) fn measured(
    tasks: &mut Tasks<'_>,
    logs: &[(String, Box<ReadLog>)],
    limits: LimitArgs,
    control: &Deadline<'_>,
) -> Result<IndexMap<String, document::Episode>> {
    let mut episodes: Vec<Option<document::Episode>> = logs.iter().map(|_| None).collect();
    let mut of_task: IndexMap<&str, Vec<usize>> = IndexMap::new();
    for (place, (_, read)) in logs.iter().enumerate() {
        of_task
            .entry(&read.log.header.task)
            .or_default()
            .push(place);
    }
    for places in of_task.into_values() {
        let found = tasks.of(&logs[places[0]].1.log.header)?;
        let options = limits.search().with_max_states(MOST_STATES);
        let mut costs = found
            .as_deref()
            .map(|found| CostToGo::new(&found.task, options));
        for place in places {
            let (id, read) = &logs[place];
            let known = found.as_deref().zip(costs.as_mut());
            episodes[place] = Some(measured_one(id, read, known, control)?);
        }
    }
    let ids = logs.iter().map(|(id, _)| id.clone());
    Ok(ids.zip(episodes.into_iter().flatten()).collect())
}

fn measured_one<'t>(
    id: &str,
    read: &ReadLog,
    known: Option<(&'t Drawable, &mut CostToGo<'t>)>,
    control: &Deadline<'_>,
) -> Result<document::Episode> {
    let log = &read.log;
    let Some((Drawable { task, layout }, costs)) = known else {
        let beside = Beside {
            missing: Some(NO_TASK),
            ..Beside::default()
        };
        return made(id, read, &beside);
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
        return made(id, read, &beside);
    }
    let unusable = |error: process::ProcessError| Failure::Unusable(format!("{id}: {error}"));
    let metrics = process::of(costs, log, id, control).map_err(unusable)?;
    let better = alternatives(costs, log, &metrics, control).map_err(unusable)?;
    let better: Vec<Vec<Vec<Alternative>>> = better.into_iter().map(shown).collect();
    let metrics = serde_json::to_value(&metrics).unwrap_or_default();
    let beside = Beside {
        task: Some(task),
        layout: layout.as_ref(),
        process: Some(&metrics),
        better: &better,
        missing: None,
    };
    made(id, read, &beside)
}

/// An episode with the process metrics that its evaluation has.
pub(super) fn recorded(
    tasks: &mut Tasks<'_>,
    id: &str,
    read: &ReadLog,
    metrics: Option<&Value>,
) -> Result<document::Episode> {
    let found = tasks.of(&read.log.header)?;
    let missing = "the evaluation has no process metrics of this episode";
    let beside = Beside {
        task: found.as_deref().map(|found| &found.task),
        layout: found.as_deref().and_then(|found| found.layout.as_ref()),
        process: metrics,
        missing: metrics.is_none().then_some(missing),
        ..Beside::default()
    };
    made(id, read, &beside)
}

fn made(id: &str, read: &ReadLog, beside: &Beside<'_>) -> Result<document::Episode> {
    episode(id, &read.log, &read.texts, beside)
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
