//! The attempts that were cut short: what they have used is in the sums of an evaluation, so none may be
//! lost. `checks/attempts.jsonl` lists them with hashes of what they hold.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::hash::hash_of;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;

/// The list.
pub(super) const LIST: &str = "checks/attempts.jsonl";

/// A line of it.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Attempt {
    file: String,
    /// A hash of what it holds.
    holds: String,
}

impl Attempt {
    pub(super) fn of(path: &Path) -> Result<Self> {
        let name = path.file_name().unwrap_or_default();
        let bytes = fs::read(path).map_err(|error| Failure::unreadable(path, &error));
        Ok(Self {
            file: name.to_string_lossy().into_owned(),
            holds: hash_of(std::iter::once(bytes))?,
        })
    }
}

/// All attempts of a folder, by name.
pub(super) fn all(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder).map_err(|error| Failure::unreadable(folder, &error))?;
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| Failure::unreadable(folder, &error))?;
        found.push(entry.path());
    }
    found.sort();
    Ok(found)
}

/// The list of a folder as it should be: with those that a run has left which was killed.
///
/// # Errors
///
/// One that is listed is gone or is another.
pub(super) fn listed(root: &Path) -> Result<String> {
    let folder = &root.join("attempts");
    let index = root.join(LIST);
    // It is read first: whatever it lists then is there.
    let text = if index.exists() {
        files::read_own_log(&index)?
    } else {
        String::new()
    };
    let mut there: BTreeMap<String, Attempt> = BTreeMap::new();
    let paths = if folder.is_dir() {
        all(folder)?
    } else {
        Vec::new()
    };
    for path in paths {
        let attempt = Attempt::of(&path)?;
        there.insert(attempt.file.clone(), attempt);
    }
    // What is no line of it was cut off; such an attempt is listed anew.
    for line in text.lines() {
        let Ok(listed) = serde_json::from_str::<Attempt>(line) else {
            continue;
        };
        let now = there.get(&listed.file);
        if now.is_none_or(|now| now.holds != listed.holds) {
            let what = if now.is_none() { "gone" } else { "another" };
            return Err(Failure::usage(
                format!(
                    "{}: this attempt is {what}, so what it used would be missing in sums",
                    folder.join(&listed.file).display()
                ),
                format!(
                    "put the file back as it was written, or remove {}: sums then go without it",
                    index.display()
                ),
            ));
        }
    }
    let mut lines = String::new();
    for attempt in there.values() {
        let line = serde_json::to_string(attempt);
        lines += &line.map_err(|error| Failure::file(&index, error))?;
        lines.push('\n');
    }
    Ok(lines)
}
