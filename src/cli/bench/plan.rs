//! The plan that `--dry-run` shows: the episodes of a run that could begin.

use serde::Serialize;

use super::config::Planned;
use super::digest::Digests;
use super::folder::Folder;
use super::header::{Header, SCHEMA};
use super::notes;
use super::setup::Team;
use super::stage::Stage;
use crate::cli::args::Format;
use crate::cli::exit::{Exit, Result};
use crate::cli::printer::Printer;

/// Checks what a run would do before its first episode, and shows its episodes.
pub(super) fn show(
    printer: &Printer,
    format: Format,
    stage: &Stage<'_>,
    folder: &Folder,
    (planned, wanted): (&[Planned], &[Planned]),
) -> Result {
    let formats = stage.bench.models.values();
    let formats = formats.map(|model| Some(model.action_format.given()?.name()));
    let claim = folder.compare(Header::new(stage, &formats.collect::<Vec<_>>()))?;
    notes::earlier(printer, &claim);
    if claim.moves.is_empty() {
        Digests::default().read(stage, folder, planned)?;
    }
    let plan = Plan::new(stage, folder, wanted);
    match format {
        Format::Json => printer.json(&plan)?,
        Format::Text => printer.pieces(plan.lines())?,
    }
    Ok(Exit::Done)
}

/// The episodes of a run.
#[derive(Debug, Serialize)]
struct Plan<'a> {
    schema: u32,
    /// The number of episodes, and of finished ones.
    episodes: usize,
    finished: usize,
    planned: Vec<Line<'a>>,
}

/// An episode.
#[derive(Debug, Serialize)]
struct Line<'a> {
    id: &'a str,
    problem: &'a str,
    setup: &'a str,
    /// The place of the set-up among those of one that stands for several.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    team: Option<Team>,
    /// `None` where none is asked that the set-up does not name.
    model: Option<&'a str>,
    seed: u64,
    epoch: u32,
    max_ticks: u32,
    finished: bool,
}

impl<'a> Plan<'a> {
    fn new(stage: &'a Stage<'a>, folder: &Folder, wanted: &'a [Planned]) -> Self {
        let lines = wanted.iter().map(|planned| {
            let model = planned
                .model
                .and_then(|model| stage.bench.models.get_index(model));
            let setup = &stage.bench.setups[planned.setup];
            let problem = &stage.problems[planned.problem];
            Line {
                id: &planned.id,
                problem: &problem.title,
                setup: &setup.name,
                team: setup
                    .team
                    .as_ref()
                    .map(|team| team.of(&problem.task.agents)),
                model: model.map(|(name, _)| name.as_str()),
                seed: planned.seed,
                epoch: planned.epoch,
                max_ticks: stage.max_ticks(planned),
                finished: folder.is_finished(&planned.id),
            }
        });
        let planned: Vec<Line<'a>> = lines.collect();
        Self {
            schema: SCHEMA,
            episodes: planned.len(),
            finished: planned.iter().filter(|line| line.finished).count(),
            planned,
        }
    }

    /// The ids, a line each.
    fn lines(&self) -> impl Iterator<Item = String> {
        self.planned.iter().map(|line| format!("{}\n", line.id))
    }
}
