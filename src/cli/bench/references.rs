//! The references of a problem, against which its episodes are scored.

use std::path::PathBuf;

use super::config::{Bench, Problem};
use super::preparing::Preparing;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::plannable;
use crate::score::{ReferenceModel, ReferenceSet};
use crate::task::PackedTask;

/// The value of `references` for those that are derived.
const DERIVED: &str = "derived";

/// The references of a problem.
#[derive(Debug)]
pub(super) enum References {
    /// All that its optimal plans give.
    Derived,
    /// Annotated ones.
    Annotated(ReferenceSet),
}

impl References {
    /// Those that a bench file declares for a problem.
    pub(super) fn of(
        bench: &Bench,
        problem: &Problem,
        task: &PackedTask,
        with: &Preparing<'_>,
    ) -> Result<Option<Self>> {
        let Some(given) = problem.references.as_ref().or(bench.references.as_ref()) else {
            return Ok(None);
        };
        if given == DERIVED {
            let what = format!("{}: `references` cannot be derived", problem.title());
            plannable::check(task, &what)?;
            return Ok(Some(Self::Derived));
        }
        let path = with.path(&PathBuf::from(given));
        files::check_is_file(&path)?;
        let text = files::read_text(&path)?;
        let set = ReferenceSet::parse(&text).map_err(|error| Failure::malformed(&path, error))?;
        if set.agents() != task.players() {
            return Err(Failure::usage(
                format!(
                    "{}: its references are of {} agents, and `{}` has {}",
                    path.display(),
                    set.agents(),
                    problem.title(),
                    task.players()
                ),
                "give the problem its own `references`, or `references = \"derived\"`",
            ));
        }
        Ok(Some(Self::Annotated(set)))
    }
}
