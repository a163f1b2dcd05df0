//! Prepares the demonstrations of designs: another problem of the domain, solved by the planner.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::config::Problem;
use super::preparing::{Preparing, compile, unproven};
use super::sense::Sense;
use crate::cli::exit::{Failure, Result};
use crate::cli::plannable;
use crate::search::{Control, Outcome, PlanStep, Progress, StopReason, solve};
use crate::task::PackedTask;
use crate::task::json::planning_fingerprint;

/// The time limit of the search for a plan. A harder problem makes a poor example.
const MOST_TIME: Duration = Duration::from_mins(1);

/// A problem that is shown, and an optimal plan for it.
#[derive(Debug)]
pub(super) struct Example {
    pub(super) task: PackedTask,
    pub(super) plan: Vec<PlanStep>,
    /// Hashes of its files and of what they mean.
    pub(super) sense: Sense,
    planning: String,
}

/// All examples of an evaluation: each is solved once.
#[derive(Debug, Default)]
pub(super) struct Examples {
    known: Vec<(Source, Arc<Example>)>,
}

/// The sources that an example is compiled from.
#[derive(Debug, PartialEq, Eq)]
struct Source {
    path: PathBuf,
    domain: Option<PathBuf>,
    semantics: Option<String>,
}

impl Examples {
    /// Returns the demonstration where a set-up plays a problem: the first of the files that is another one.
    pub(super) fn choose(
        &mut self,
        paths: &[PathBuf],
        setup: &str,
        (problem, played): (&Problem, &PackedTask),
        with: &Preparing<'_>,
    ) -> Result<Arc<Example>> {
        let identity = planning_fingerprint(played);
        for path in paths {
            let example = self.example(path, problem, with)?;
            if example.task.domain != played.domain {
                return Err(Failure::usage(
                    format!(
                        "{}: of domain `{}`, so it is no example for `{}`, of domain `{}`",
                        path.display(),
                        example.task.domain,
                        problem.title(),
                        played.domain
                    ),
                    format!(
                        "name a problem of that domain in `demonstration` of set-up `{setup}`, or \
                         the problems that it is played on in its `problems`"
                    ),
                ));
            }
            if example.planning != identity {
                return Ok(example);
            }
        }
        Err(Failure::usage(
            format!(
                "set-up `{setup}` would show how `{}` is solved, which it is played on",
                problem.title()
            ),
            "name a second problem, of which one is always another: `demonstration = { problem = \
             [\"…\", \"…\"] }`",
        ))
    }

    fn example(
        &mut self,
        path: &Path,
        problem: &Problem,
        with: &Preparing<'_>,
    ) -> Result<Arc<Example>> {
        let source = Source {
            path: path.to_owned(),
            domain: problem.domain.clone(),
            semantics: problem.semantics.clone(),
        };
        if let Some((_, example)) = self.known.iter().find(|(known, _)| *known == source) {
            return Ok(Arc::clone(example));
        }
        let loaded = compile(
            path,
            source.domain.as_deref(),
            &[],
            source.semantics.as_deref(),
            with,
        )?;
        let sense = Sense::of(&loaded)?;
        let task = loaded.task;
        let what = format!("{}: there is nothing to demonstrate", path.display());
        plannable::check(&task, &what)?;
        let patience = Patience {
            end: Instant::now() + MOST_TIME,
            outer: with.control,
        };
        let plan = match solve(&task, &with.search, &patience).outcome {
            Outcome::Solved(plan) => plan.steps,
            Outcome::Unsolvable => {
                return Err(Failure::Negative(format!(
                    "{}: no plan exists, so there is nothing to demonstrate",
                    path.display()
                )));
            }
            Outcome::Bounded { .. } if let Some(reason) = with.control.stop() => {
                return Err(unproven(path, reason));
            }
            Outcome::Bounded { reason, .. } => {
                return Err(Failure::usage(
                    format!(
                        "{}: no plan was proven optimal, so there is nothing to demonstrate: {reason}",
                        path.display()
                    ),
                    format!(
                        "demonstrate an easier problem: at most {} s are spent on one",
                        MOST_TIME.as_secs()
                    ),
                ));
            }
        };
        let example = Arc::new(Example {
            sense,
            planning: planning_fingerprint(&task),
            task,
            plan,
        });
        self.known.push((source, Arc::clone(&example)));
        Ok(example)
    }
}

/// A search that ends after a time, or when another control says so.
struct Patience<'a> {
    end: Instant,
    outer: &'a dyn Control,
}

impl Control for Patience<'_> {
    fn stop(&self) -> Option<StopReason> {
        let over = || (Instant::now() >= self.end).then_some(StopReason::Time);
        self.outer.stop().or_else(over)
    }

    fn progress(&self, progress: &Progress) {
        self.outer.progress(progress);
    }
}
