//! The event logs of an evaluation's folder.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::cli::exit::{Failure, Result};
use crate::cli::files;

/// A line of the index, as far as it is read.
#[derive(Deserialize)]
struct InIndex {
    id: String,
}

/// Returns true if a path is the folder of an evaluation.
pub(super) fn is_evaluation(path: &Path) -> bool {
    path.join("header.json").is_file()
}

/// The logs of the finished episodes of a folder, in the order of its index.
pub(super) fn logs(folder: &Path) -> Result<Vec<PathBuf>> {
    let path = folder.join("index.jsonl");
    if !path.is_file() {
        return Err(Failure::usage(
            format!("{}: no episode is finished yet", folder.display()),
            "give the same `brigade bench` command again, which goes on",
        ));
    }
    let text = files::read_own_log(&path)?;
    let lines = text.lines().zip(1..).map(|(line, number)| {
        let InIndex { id } = serde_json::from_str(line).map_err(|error| {
            Failure::malformed(
                &path,
                format!("line {number} is no line of an index: {error}"),
            )
        })?;
        Ok(folder.join("episodes").join(format!("{id}.jsonl")))
    });
    let logs = lines.collect::<Result<Vec<PathBuf>>>()?;
    if logs.is_empty() {
        return Err(Failure::usage(
            format!("{}: no episode is finished yet", folder.display()),
            "give the same `brigade bench` command again, which goes on",
        ));
    }
    Ok(logs)
}
