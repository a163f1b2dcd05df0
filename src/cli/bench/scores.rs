//! Scores of episodes against references: TES, PC, IC and RC, where the bench file declares references.

use indexmap::IndexMap;
use serde::Serialize;

use super::config::Planned;
use super::folder::Folder;
use super::play::Bounds;
use super::references::References;
use super::stage::{Compiled, Stage};
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::printer::Printer;
use crate::cli::references::derive;
use crate::episode::Log;
use crate::score::derived::DerivedReferences;
use crate::score::event_log::recorded_episode;
use crate::score::options::ShareOf;
use crate::score::{EpisodeScore, Options, ReferenceModel, ScoreError, TaskContext, score_episode};
use crate::search::Control;

/// The scores of an episode.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Scores {
    /// TES by agent.
    pub(super) tes: IndexMap<String, f64>,
    /// Their mean.
    pub(super) pc: f64,
    /// The same against one reference for all agents.
    pub(super) joint_pc: Option<f64>,
    /// Requests, those that succeeded, and those whose answer did.
    pub(super) requests: u32,
    pub(super) initiated: u32,
    pub(super) responded: u32,
}

/// The scores of finished episodes, by id. Those of a problem whose references are not found within the limits are left
/// out, with a warning.
pub(super) fn scores(
    printer: &Printer,
    stage: &Stage<'_>,
    folder: &Folder,
    planned: &[Planned],
    (max_states, bounds): (u64, &Bounds),
) -> Result<IndexMap<String, Scores>> {
    let mut all = IndexMap::new();
    for (place, problem) in stage.problems.iter().enumerate() {
        let of_problem = planned.iter().filter(|it| it.problem == place);
        let finished: Vec<&Planned> = of_problem.filter(|it| folder.is_finished(&it.id)).collect();
        let (Some(references), false) = (&problem.references, finished.is_empty()) else {
            continue;
        };
        let score = |model: &dyn ReferenceModel, stop: &dyn Fn() -> bool| -> Result<_> {
            let mut scored: Vec<(String, Scores)> = Vec::new();
            for planned in &finished {
                if stop() {
                    return Ok(scored);
                }
                scored.extend(episode(problem, folder, planned, model)?);
            }
            Ok(scored)
        };
        let scored = match references {
            References::Annotated(set) => score(set, &|| bounds.stop().is_some())?,
            References::Derived => {
                printer.status(|| format!("references of {}", problem.title));
                let search = match max_states {
                    0 => bounds.search.clone(),
                    most => bounds.search.clone().with_max_states(most),
                };
                match derive(&problem.task, None, &search, bounds)? {
                    Ok(derived) => {
                        let stop = || bounds.stop().is_some();
                        let model = DerivedReferences::new(&derived.references, &stop);
                        score(&model, &stop)?
                    }
                    Err(_) => Vec::new(),
                }
            }
        };
        if scored.len() < finished.len() {
            printer.warning(&format!(
                "{}: not all references were found within the limits, so there are no scores against them",
                problem.title
            ));
            continue;
        }
        all.extend(scored);
    }
    Ok(all)
}

/// The scores of an episode, with its id; `None` if they were stopped.
fn episode(
    problem: &Compiled,
    folder: &Folder,
    planned: &Planned,
    references: &dyn ReferenceModel,
) -> Result<Option<(String, Scores)>> {
    let path = folder.log(&planned.id);
    let log = Log::parse(&files::read_own_log(&path)?);
    let log = log.map_err(|error| Failure::malformed(&path, error))?;
    let recorded = recorded_episode(&problem.task, &log, &planned.id);
    let options = Options::brigade().with_share_of(ShareOf::Dialogs);
    let score = match score_episode(&recorded, &TaskContext::new(references), &options) {
        Ok(score) => score,
        Err(ScoreError::Stopped) => return Ok(None),
        Err(error) => return Err(Failure::malformed(&path, error)),
    };
    let EpisodeScore {
        agents,
        pc,
        joint_pc,
        collaboration,
        ..
    } = score;
    let names = problem.task.agents.iter().map(|agent| agent.name.clone());
    let tally = collaboration.tally;
    let scores = Scores {
        tes: names.zip(agents.iter().map(|agent| agent.tes)).collect(),
        pc,
        joint_pc,
        requests: tally.initiations,
        initiated: tally.initiated,
        responded: tally.responded,
    };
    Ok(Some((planned.id.clone(), scores)))
}
