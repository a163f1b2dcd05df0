//! The event logs of an evaluation's folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::cli::exit::{Failure, Result};
use crate::cli::index;

/// A line of the index, as far as it is read.
#[derive(Deserialize)]
struct InIndex {
    id: String,
}

/// Returns true if a path is the folder of an evaluation.
pub(in crate::cli) fn is_evaluation(path: &Path) -> bool {
    path.join("header.json").is_file()
}

/// The failure of a folder that is none of an evaluation; `others` says what else may be given.
pub(in crate::cli) fn no_evaluation(path: &Path, others: &str) -> Failure {
    let problem = "is no folder of an evaluation: it has no header.json";
    Failure::usage(
        format!("{}: {problem}", path.display()),
        format!("give the `--log-dir` of `brigade bench`{others}"),
    )
}

/// The logs of the finished episodes of a folder, in the order of its index.
pub(super) fn logs(folder: &Path) -> Result<Vec<PathBuf>> {
    let lines = index::lines(folder)?.into_iter();
    let logs = lines.map(|InIndex { id }| folder.join("episodes").join(format!("{id}.jsonl")));
    Ok(logs.collect())
}
