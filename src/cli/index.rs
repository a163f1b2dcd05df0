//! The index of an evaluation's folder: a line for each finished episode.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::exit::{Failure, Result};
use super::files;

/// The lines of the index, in order; at least one.
pub(super) fn lines<T: DeserializeOwned>(folder: &Path) -> Result<Vec<T>> {
    let path = folder.join("index.jsonl");
    let text = if path.is_file() {
        files::read_own_log(&path)?
    } else {
        String::new()
    };
    let numbered = text.lines().zip(1..);
    let lines = numbered.filter(|(line, _)| !line.trim().is_empty());
    let lines = lines.map(|(line, number)| {
        serde_json::from_str(line).map_err(|error| {
            Failure::malformed(
                &path,
                format!("line {number} is no line of an index: {error}"),
            )
        })
    });
    let lines: Vec<T> = lines.collect::<Result<_>>()?;
    if lines.is_empty() {
        return Err(Failure::usage(
            format!("{}: no episode is finished yet", folder.display()),
            "give the same `brigade bench` command again, which goes on",
        ));
    }
    Ok(lines)
}
