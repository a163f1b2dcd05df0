//! Files: reading them with errors that say what to do.

use std::collections::BTreeMap;
use std::fs::{File, FileType};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::bundled;
use super::exit::{Failure, Result};
use super::paths::{folder_of, within};
use super::printer::Printer;
use super::replace::Replacement;
use super::waiting::Waiting;
use super::{left, replace};
use crate::diagnostics::MAX_SOURCE_BYTES;

/// The mark that some editors write before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// One byte more than a source may have.
const MAX_READ: u64 = MAX_SOURCE_BYTES as u64 + 1;

/// The most files of a folder that are examined.
const MAX_FILES: usize = 10_000;

/// The most files of a folder that are named.
const MAX_NAMED: usize = 5;

/// A file that people write by hand, or read when it changes, is not larger (bytes).
const MAX_SMALL_BYTES: usize = 1 << 20;

/// Returns true if the path stands for standard input.
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

/// The bytes of a file, of standard input, or of a pipe. More than a source may have is not read.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    let fail = |error: std::io::Error| Failure::unreadable(path, &error);
    if is_stdin(path) {
        return read_once(path, || Ok(std::io::stdin())).map_err(fail);
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
    let found = path.metadata().map_err(fail)?;
    if found.is_dir() {
        return Err(is_a_folder(path));
    }
    if !found.is_file() {
        return read_once(path, || File::open(path)).map_err(fail);
    }
    let mut bytes = Vec::with_capacity(found.len().min(MAX_READ) as usize + 1);
    let file = File::open(path).map_err(fail)?;
    file.take(MAX_READ).read_to_end(&mut bytes).map_err(fail)?;
    Ok(bytes)
}

/// The bytes of what can be read once, such as a pipe: whoever asks again is given the same. It is waited
/// for, until a signal ends the process.
fn read_once<R: Read>(
    path: &Path,
    open: impl FnOnce() -> std::io::Result<R>,
) -> std::io::Result<Vec<u8>> {
    static READ: Mutex<BTreeMap<PathBuf, Vec<u8>>> = Mutex::new(BTreeMap::new());
    let mut read = READ.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(bytes) = read.get(path) {
        return Ok(bytes.clone());
    }
    let _waiting = Waiting::begin();
    let mut bytes = Vec::new();
    open()?.take(MAX_READ).read_to_end(&mut bytes)?;
    read.insert(path.to_owned(), bytes.clone());
    Ok(bytes)
}

/// True where a file is there, or something that can be read as one.
pub(super) fn is_there(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_dir())
}

/// Fails for what is no file although it stands where one is to be, such as a pipe or a device: it would be waited for,
/// or never end. A missing file is no failure.
pub(super) fn check_is_file(path: &Path) -> Result<()> {
    match path.metadata() {
        Ok(found) if found.is_dir() => Err(is_no_file(path, "a folder")),
        Ok(found) if !found.is_file() => Err(is_no_file(path, kind(found.file_type()))),
        _ => Ok(()),
    }
}

/// As [`check_is_file`]; but what the process was given open, as `<(…)` of a shell is, may be a pipe.
pub(super) fn check_is_file_or_open(path: &Path) -> Result<()> {
    let is_open = is_stdin(path)
        || ["/dev/fd", "/proc/self/fd"]
            .map(Path::new)
            .contains(&folder_of(path))
        || path == Path::new("/dev/stdin");
    if is_open { Ok(()) } else { check_is_file(path) }
}

fn is_no_file(path: &Path, kind: &str) -> Failure {
    Failure::usage(
        format!("{}: is {kind}; a file is needed", path.display()),
        "move it away, or give another path",
    )
}

/// Names the kind of something that is neither a file nor a folder.
#[cfg(unix)]
fn kind(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;

    match () {
        () if found.is_fifo() => "a named pipe",
        () if found.is_socket() => "a socket",
        () => "a device",
    }
}

#[cfg(not(unix))]
fn kind(_: FileType) -> &'static str {
    "no file"
}

/// A folder was given for a file: names those in it.
fn is_a_folder(path: &Path) -> Failure {
    let files = sources(path);
    let named: Vec<String> = files
        .iter()
        .take(MAX_NAMED)
        .map(|file| file.display().to_string())
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

/// Folders replaced by the `.pddl` files below them, by name; pipes and devices in them are none. One
/// without such a file, or that cannot be looked into, stays: reading it says so.
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
                let (path, kind) = (within(&folder, entry.file_name()), entry.file_type());
                if kind.is_ok_and(|kind| kind.is_dir()) {
                    folders.push(path);
                } else if is_source(&path) {
                    all.push(path);
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
    log_text(path, read_whole(path)?)
}

/// The bytes of a file that Brigade has written itself, however large it is.
pub(super) fn read_whole(path: &Path) -> Result<Vec<u8>> {
    check_is_file(path)?;
    std::fs::read(path).map_err(|error| Failure::unreadable(path, &error))
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

/// True of the `.pddl` files in a folder, also of one that is gone meanwhile: reading it says so.
fn is_source(path: &Path) -> bool {
    let is_file = || path.metadata().map_or(true, |found| found.is_file());
    path.extension().is_some_and(|ending| ending == "pddl") && is_file()
}

/// The `.pddl` files of a folder, by name.
pub(super) fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut files: Vec<PathBuf> = entries
        .take(MAX_FILES)
        .filter_map(|entry| Some(within(folder, entry.ok()?.file_name())))
        .filter(|path| is_source(path))
        .collect();
    files.sort();
    files
}

/// Replaces what a file holds, or makes it; see [`replace`](super::replace).
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    write_with(path, &mut |out| out.write_all(text.as_bytes()))
}

/// The same for what is written bit by bit.
pub(super) fn write_with(
    path: &Path,
    content: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    let mut write = || {
        let mut out = BufWriter::new(Replacement::begin(path)?);
        content(&mut out)?;
        let written = out
            .into_inner()
            .map_err(std::io::IntoInnerError::into_error)?;
        written.finish()
    };
    write().map_err(|error| Failure::unwritable(path, &error))?;
    if path.is_file() {
        left::wrote(path);
    }
    Ok(())
}

/// Makes a file that is not there yet, with this advice where it is.
pub(super) fn write_new(path: &Path, text: &str, help: &str) -> Result<()> {
    replace::create(path, text.as_bytes()).map_err(|error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => Failure::usage(
            format!("{}: it exists, and is not overwritten", path.display()),
            help,
        ),
        _ => Failure::unwritable(path, &error),
    })?;
    left::wrote(path);
    Ok(())
}

/// Refuses to write over files that are there, before any is written; `force` lets it. Pipes and devices are written
/// to.
pub(super) fn check_new<'p>(mut paths: impl Iterator<Item = &'p Path>, force: bool) -> Result<()> {
    // `/dev/stdout` may lead to a file, and is not replaced.
    let is_open = |path: &Path| path.starts_with("/dev") || path.starts_with("/proc");
    match paths.find(|path| !force && path.is_file() && !is_open(path)) {
        None => Ok(()),
        Some(path) => Err(Failure::usage(
            format!("{}: it exists, and is not overwritten", path.display()),
            "`--force` overwrites it, or choose another place",
        )),
    }
}

/// Notes what was written.
pub(super) fn note_written(printer: &Printer, written: &[String]) {
    for path in written {
        printer.note(&format!("{path}: written"));
    }
}

/// Replaces a file of a folder that Brigade keeps, where nothing else than a file can be.
pub(super) fn write_own(path: &Path, text: &str) -> Result<()> {
    check_is_file(path)?;
    replace::replace(path, text.as_bytes()).map_err(|error| Failure::unwritable(path, &error))
}

/// The name of a file without its folder and its ending.
pub(super) fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// Returns true if two paths lead to the same file that exists.
pub(super) fn same_file(a: &Path, b: &Path) -> bool {
    matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}
