//! The inputs of a page: an event log, an evaluation, a problem, or a document of a command.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::logs::{self, ReadLog};
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::score::{LOG_START, is_evaluation, log_text, no_evaluation};
use crate::diagnostics::json_text::complaint;

/// An input, by what its path holds.
pub(super) enum Input {
    /// An event log, and the name of its episode.
    Log(String, Box<ReadLog>),
    /// The folder of an evaluation.
    Evaluation(PathBuf),
    /// A document of `plan` or `rats`.
    Document(PathBuf, Value),
    /// A problem, or its domain.
    Problem,
}

impl Input {
    /// Looks at what a path leads to.
    pub(super) fn at(path: &Path) -> Result<Self> {
        if path.is_dir() {
            return if is_evaluation(path) {
                Ok(Self::Evaluation(path.to_owned()))
            } else {
                Err(no_evaluation(path, ", or the event logs themselves"))
            };
        }
        let ends = |end: &str| path.extension().is_some_and(|extension| extension == end);
        if ends("pddl") || crate::cli::bundled::is_within(path) {
            return Ok(Self::Problem);
        }
        let mut lines = logs::open(path)?;
        let start = lines.fill_buf();
        let start = start.map_err(|error| Failure::unreadable(path, &error))?;
        let start = start.strip_prefix("\u{feff}".as_bytes()).unwrap_or(start);
        if start.trim_ascii_start().starts_with(LOG_START.as_bytes()) || ends("jsonl") || ends("gz")
        {
            let log = logs::read(path, &mut *lines)?;
            return Ok(Self::Log(files::stem(path), Box::new(log)));
        }
        match serde_json::from_str::<Value>(&log_text(path)?) {
            Ok(document)
                if document.get("plan").is_some() || document.get("references").is_some() =>
            {
                Ok(Self::Document(path.to_owned(), document))
            }
            Err(error) if ends("json") => {
                let what = format_args!("is not JSON: {}", complaint(&error));
                Err(Failure::malformed(path, what))
            }
            // JSON of another kind may be an environment of Robotouille.
            _ => Ok(Self::Problem),
        }
    }
}
