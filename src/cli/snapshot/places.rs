//! The places of snapshots, and those whose files are gone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::super::exit::{Failure, Result};
use super::super::files;
use super::super::paths::{folder_of, resolved, within};
use crate::report::snapshot::Snapshot;

/// The folder beside a file that holds its snapshot.
const FOLDER: &str = "snapshots";

/// The path of a file's snapshot.
pub(super) fn place(source: &Path, folder: Option<&Path>) -> PathBuf {
    let beside = folder_of(source);
    let name = format!("{}.snap", files::stem(source));
    let Some(folder) = folder else {
        return within(&within(beside, FOLDER), name);
    };
    let mut places = below(folder, beside).map(|folder| folder.join(&name));
    let found = places.clone().into_iter().find(|place| place.is_file());
    let [first, _] = &mut places;
    found.unwrap_or_else(|| std::mem::take(first))
}

/// The folders below another that may hold the snapshots of a folder's files: by its path from the working
/// directory, where new ones are kept, and by its path from the folder that holds both, which
/// finds them from any working directory. Neither depends on how a path is spelt.
fn below(folder: &Path, path: &Path) -> [PathBuf; 2] {
    let path = resolved(path);
    let parted = |from: &Path| {
        let common = from.components().zip(path.components());
        let common = common.take_while(|(one, other)| one == other).count();
        let names = path.components().skip(common);
        let names = names.filter(|part| matches!(part, Component::Normal(_)));
        names.fold(folder.to_owned(), |folder, name| within(&folder, name))
    };
    [parted(&resolved(Path::new("."))), parted(&resolved(folder))]
}

/// Snapshots of the folders that were given whose files are gone: neither among the sources, of which
/// these are the places, nor on the disk.
pub(super) fn gone(
    paths: &[PathBuf],
    folder: Option<&Path>,
    sources: &[PathBuf],
    places: &BTreeSet<PathBuf>,
) -> Result<Vec<PathBuf>> {
    let known: Vec<PathBuf> = match folder {
        None => Vec::new(),
        Some(_) => sources.iter().map(|source| resolved(source)).collect(),
    };
    let mut gone = Vec::new();
    for path in paths.iter().filter(|path| path.is_dir()) {
        let roots = match folder {
            None => vec![path.clone()],
            Some(folder) => below(folder, path).to_vec(),
        };
        for snapshot in kept(roots, folder.is_some())? {
            if places.contains(&snapshot) {
                continue;
            }
            let text = files::read_small_text(&snapshot).unwrap_or_default();
            if Snapshot::is_one(&text) && !has_source(&snapshot, &text, folder, &known) {
                gone.push(snapshot);
            }
        }
    }
    gone.sort();
    gone.dedup();
    Ok(gone)
}

/// The files below some folders that have the name of a snapshot.
fn kept(mut open: Vec<PathBuf>, are_kept_apart: bool) -> Result<Vec<PathBuf>> {
    let mut kept = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = match fs::read_dir(&folder) {
            Ok(entries) => entries,
            // Where no snapshot was accepted yet.
            Err(_) if are_kept_apart => continue,
            Err(error) => return Err(Failure::unreadable(&folder, &error)),
        };
        let holds = are_kept_apart || folder.ends_with(FOLDER);
        for entry in entries.flatten() {
            let path = within(&folder, entry.file_name());
            let kind = entry.file_type();
            if kind.as_ref().is_ok_and(fs::FileType::is_dir) {
                open.push(path);
            } else if holds
                && path.extension().is_some_and(|ending| ending == "snap")
                && path.is_file()
            {
                kept.push(path);
            }
        }
    }
    Ok(kept)
}

/// True where the file that a snapshot is of is there, under whatever path it was given.
fn has_source(snapshot: &Path, text: &str, folder: Option<&Path>, known: &[PathBuf]) -> bool {
    let name = match Snapshot::parse(text) {
        Ok(parsed) => parsed.source,
        Err(_) => format!("{}.pddl", files::stem(snapshot)),
    };
    let beside = folder_of(snapshot);
    let Some(folder) = folder else {
        return within(folder_of(beside), name).is_file();
    };
    let way = beside.strip_prefix(folder).unwrap_or(Path::new(""));
    let source = way.join(name);
    let roots = [resolved(folder), resolved(Path::new("."))];
    let mut roots = roots.iter().flat_map(|root| root.ancestors());
    roots.any(|root| root.join(&source).is_file())
        || known.iter().any(|known| known.ends_with(&source))
}
