//! Files: reading them with errors that say what to do.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::bundled;
use super::exit::{Failure, Result};
use crate::diagnostics::MAX_SOURCE_BYTES;

/// What some editors write before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How many files of a folder are looked at.
const MAX_FILES: usize = 10_000;

/// How many files of a folder are named.
const MAX_NAMED: usize = 5;

/// A file that people write by hand, or read when it changes, is not larger (bytes).
const MAX_SMALL_BYTES: usize = 1 << 20;

/// Whether the path stands for standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// A path as messages name it.
pub(super) fn shown(path: &Path) -> String {
    if is_stdin(path) {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    }
}

/// The bytes of a file, or of standard input. More than a source may have is not read.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    let fail = |error: std::io::Error| Failure::unreadable(path, &error);
    let mut bytes = Vec::new();
    let limit = MAX_SOURCE_BYTES as u64 + 1;
    if is_stdin(path) {
        // Whoever asks again is given the same: it can be read once.
        static READ: Mutex<Option<Vec<u8>>> = Mutex::new(None);
        let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bytes) = &*read {
            return Ok(bytes.clone());
        }
        let stdin = std::io::stdin().lock();
        stdin.take(limit).read_to_end(&mut bytes).map_err(fail)?;
        *read = Some(bytes.clone());
        return Ok(bytes);
    }
    if bundled::is_within(path) {
        let text = bundled::text_at(path).ok_or_else(|| {
            Failure::usage(
                format!("{}: no such domain or problem is bundled", path.display()),
                "`brigade domains` lists them",
            )
        })?;
        return Ok(text.into());
    }
    if path.is_dir() {
        return Err(is_a_folder(path));
    }
    let file = std::fs::File::open(path).map_err(fail)?;
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    bytes.reserve(size.min(limit) as usize + 1);
    file.take(limit).read_to_end(&mut bytes).map_err(fail)?;
    Ok(bytes)
}

/// A folder was given for a file: names those in it.
fn is_a_folder(path: &Path) -> Failure {
    let files = sources(path);
    let named: Vec<String> = files
        .iter()
        .take(MAX_NAMED)
        .map(|file| tidy(file.clone()).display().to_string())
        .collect();
    let more = if files.len() > MAX_NAMED { ", …" } else { "" };
    if let Err(error) = std::fs::read_dir(path) {
        return Failure::unreadable(path, &error);
    }
    if named.is_empty() {
        return Failure::usage(
            format!("{}: is a folder, and holds no `.pddl` file", path.display()),
            "give a file",
        );
    }
    Failure::usage(
        format!("{}: is a folder; a file is needed", path.display()),
        format!("it holds {}{more}", named.join(", ")),
    )
}

/// Folders replaced by the `.pddl` files below them, by name. One without such a file, or that cannot be
/// looked into, stays: reading it says so.
pub(super) fn expanded(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let before = all.len();
        let mut folders = vec![path.clone()];
        while let Some(folder) = folders.pop() {
            let Ok(entries) = std::fs::read_dir(&folder) else {
                all.push(folder);
                continue;
            };
            for entry in entries.flatten() {
                let (path, kind) = (entry.path(), entry.file_type());
                if kind.is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if path.extension().is_some_and(|ending| ending == "pddl") {
                    all.push(tidy(path));
                }
            }
        }
        if all.len() == before {
            all.push(path.clone());
        }
        all[before..].sort();
    }
    all
}

/// The text of a file that is not a source: a trace, a log, references.
pub(super) fn read_text(path: &Path) -> Result<String> {
    read_within(path, MAX_SOURCE_BYTES, Failure::malformed)
}

/// The text of a file that people write by hand, or read when it changes: a configuration, a snapshot.
pub(super) fn read_small_text(path: &Path) -> Result<String> {
    read_within(path, MAX_SMALL_BYTES, Failure::file)
}

/// `wrong` makes a failure of what is wrong with the text.
fn read_within(
    path: &Path,
    most: usize,
    wrong: impl Fn(&Path, String) -> Failure,
) -> Result<String> {
    let bytes = read(path)?;
    if bytes.len() > most {
        let what = format!("is too large: it has more than {most} bytes");
        return Err(wrong(path, what));
    }
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    text_of(text.to_vec()).map_err(|what| wrong(path, what))
}

/// The text of an event log, as it is. A writer that was killed may have left half a character at its
/// end: that is left out.
pub(super) fn read_log(path: &Path) -> Result<String> {
    let bytes = read(path)?;
    if bytes.len() > MAX_SOURCE_BYTES {
        return Err(Failure::malformed(path, "is too large"));
    }
    log_text(path, bytes)
}

/// The text of an event log that Brigade has written itself, however large it is.
pub(super) fn read_own_log(path: &Path) -> Result<String> {
    let bytes = std::fs::read(path).map_err(|error| Failure::unreadable(path, &error))?;
    log_text(path, bytes)
}

fn log_text(path: &Path, mut bytes: Vec<u8>) -> Result<String> {
    if let Err(error) = std::str::from_utf8(&bytes) {
        let at = error.valid_up_to();
        if !bytes[at..].contains(&b'\n') {
            bytes.truncate(at);
        }
    }
    text_of(bytes).map_err(|what| Failure::malformed(path, what))
}

fn text_of(bytes: Vec<u8>) -> std::result::Result<String, String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        format!("is not UTF-8 text (at byte {at})")
    })
}

/// The `.pddl` files of a folder, by name.
pub(super) fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .take(MAX_FILES)
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "pddl")
        })
        .collect();
    files.sort();
    files
}

/// Writes a file as a whole: whatever comes between, it holds what it held or all of the text.
pub(super) fn replace(path: &Path, text: &str) -> Result<()> {
    let mut beside = path.to_owned().into_os_string();
    beside.push(".part");
    std::fs::write(&beside, text)
        .and_then(|()| std::fs::rename(&beside, path))
        .map_err(|error| Failure::unwritable(path, &error))
}

/// The name of a file without its folder and its ending.
pub(super) fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Whether two paths lead to the same file that exists.
pub(super) fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// Without a leading `./`.
pub(super) fn tidy(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}
