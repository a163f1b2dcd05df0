//! Logs of a folder that was begun when names of files had only what is readable of the names of problems,
//! set-ups and models. They are given the names that they have now.

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use super::config::id;
use super::names::{file_safe, readable};
use crate::cli::exit::{Failure, Result};
use crate::episode::Event;

/// The first line of a log is not longer (bytes).
const LONGEST_LINE: u64 = 1 << 26;

/// A log that is to have another name.
#[derive(Debug)]
pub(super) struct Move {
    pub(super) from: PathBuf,
    pub(super) name: String,
}

impl Move {
    /// Gives it that name.
    pub(super) fn make(&self) -> Result<()> {
        let to = self.from.with_file_name(&self.name);
        fs::rename(&self.from, &to).map_err(|error| Failure::unwritable(&to, &error))
    }
}

/// The logs of some folders that are to have other names.
pub(super) fn moves(folders: &[PathBuf]) -> Result<Vec<Move>> {
    let mut moves = Vec::new();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let fail = |error: &std::io::Error| Failure::unreadable(folder, error);
        for entry in fs::read_dir(folder).map_err(|error| fail(&error))? {
            let from = entry.map_err(|error| fail(&error))?.path();
            if let Some(name) = name_now(&from).filter(|name| !from.with_file_name(name).exists()) {
                moves.push(Move { from, name });
            }
        }
    }
    moves.sort_by(|one, other| one.from.cmp(&other.from));
    Ok(moves)
}

/// The name that a log is to have, if it has that of an earlier version. Its header knows what it is of.
fn name_now(path: &Path) -> Option<String> {
    let mut line = String::new();
    let file = File::open(path).ok()?.take(LONGEST_LINE);
    BufReader::new(file).read_line(&mut line).ok()?;
    let Ok(Event::Header(header)) = serde_json::from_str(&line) else {
        return None;
    };
    let of = header.evaluation?;
    let names = (&*of.problem, &*of.setup, of.model.as_deref());
    let earlier = id(readable, names, header.seed, of.epoch);
    let rest = path.file_name()?.to_str()?.strip_prefix(&earlier)?;
    let now = id(file_safe, names, header.seed, of.epoch);
    (rest.starts_with('.') && now != earlier).then(|| format!("{now}{rest}"))
}
