//! The inputs of a page: an event log, an evaluation, a problem, or a document of a command.

use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::score::{LOG_START, log_text};
use crate::episode::Log;

/// An input, by what its path holds.
pub(super) enum Input {
    /// An event log, and the name of its episode.
    Log(String, Box<Log>),
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
            return if path.join("header.json").is_file() {
                Ok(Self::Evaluation(path.to_owned()))
            } else {
                Err(Failure::usage(
                    format!(
                        "{}: is no folder of an evaluation: it has no header.json",
                        path.display()
                    ),
                    "give the `--log-dir` of `brigade bench`, or the event logs themselves",
                ))
            };
        }
        let ends = |end: &str| path.extension().is_some_and(|extension| extension == end);
        if ends("pddl") || crate::cli::bundled::is_within(path) {
            return Ok(Self::Problem);
        }
        let text = log_text(path)?;
        let start = text.trim_start_matches('\u{feff}').trim_start();
        if start.starts_with(LOG_START) || ends("jsonl") || ends("gz") {
            let log = Log::parse(&text).map_err(|error| Failure::malformed(path, error))?;
            return Ok(Self::Log(files::stem(path), Box::new(log)));
        }
        if let Ok(document) = serde_json::from_str::<Value>(&text)
            && (document.get("plan").is_some() || document.get("references").is_some())
        {
            return Ok(Self::Document(path.to_owned(), document));
        }
        Ok(Self::Problem)
    }
}
