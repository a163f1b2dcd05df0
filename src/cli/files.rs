//! Files: reading them with errors that say what to do, and finding a problem's domain.

use std::io::Read;
use std::path::{Path, PathBuf};

use super::exit::{Failure, Result};
use crate::diagnostics::{MAX_SOURCE_BYTES, suggest};

/// What some editors write before a text.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// How much of a file is read to see which domain it defines.
const SNIFFED_BYTES: u64 = 64 << 10;

/// How many files of a folder are looked into for a domain.
const MAX_FILES: usize = 10_000;

/// How many files of a folder are named.
const MAX_NAMED: usize = 5;

/// A file that people write by hand, or read when it changes, is not larger (bytes).
const MAX_SMALL_BYTES: usize = 1 << 20;

/// Whether the path stands for standard input.
pub(super) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The bytes of a file, or of standard input. More than a source may have is not read.
pub(super) fn read(path: &Path) -> Result<Vec<u8>> {
    let fail = |error: std::io::Error| Failure::unreadable(path, &error);
    let mut bytes = Vec::new();
    let limit = MAX_SOURCE_BYTES as u64 + 1;
    if is_stdin(path) {
        let stdin = std::io::stdin().lock();
        stdin.take(limit).read_to_end(&mut bytes).map_err(fail)?;
        return Ok(bytes);
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
        return Failure::file(path, "is a folder that holds no `.pddl` file");
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
    read_within(path, MAX_SOURCE_BYTES)
}

/// The text of a file that people write by hand, or read when it changes: a configuration, a snapshot.
pub(super) fn read_small_text(path: &Path) -> Result<String> {
    read_within(path, MAX_SMALL_BYTES)
}

fn read_within(path: &Path, most: usize) -> Result<String> {
    let bytes = read(path)?;
    if bytes.len() > most {
        let what = format!("is too large: it has more than {most} bytes");
        return Err(Failure::file(path, what));
    }
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
    text_of(path, text.to_vec())
}

/// The text of an event log, as it is. A writer that was killed may have left half a character at its
/// end: that is left out.
pub(super) fn read_log(path: &Path) -> Result<String> {
    let bytes = read(path)?;
    if bytes.len() > MAX_SOURCE_BYTES {
        return Err(Failure::file(path, "is too large"));
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
    text_of(path, bytes)
}

fn text_of(path: &Path, bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::file(path, format_args!("is not UTF-8 text (at byte {at})"))
    })
}

/// The file that defines the domain a problem names.
///
/// Beside the problem: `domain.pddl`, `<problem>-domain.pddl`, or the one file that defines that
/// name. Then `domains/`, from the working directory and from the problem's folder upwards.
pub(super) fn find_domain(problem: &Path, name: Option<&str>) -> Result<PathBuf> {
    let beside = if is_stdin(problem) {
        None
    } else {
        Some(problem.parent().filter(|path| !path.as_os_str().is_empty()))
    };
    if let Some(folder) = beside {
        let folder = folder.unwrap_or(Path::new("."));
        let stem = problem.file_stem().unwrap_or_default().to_string_lossy();
        for file in ["domain.pddl".to_owned(), format!("{stem}-domain.pddl")] {
            let file = folder.join(file);
            if file.is_file() && !same_file(&file, problem) {
                return Ok(tidy(file));
            }
        }
    }
    let Some(name) = name else {
        return Err(Failure::usage(
            format!("{}: the problem names no domain", problem.display()),
            "give the domain file with `--domain FILE`",
        ));
    };
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(folder) = beside {
        folders.push(folder.unwrap_or(Path::new(".")).to_owned());
    }
    let upwards = |from: PathBuf| {
        let ancestors: Vec<PathBuf> = from.ancestors().map(|up| up.join("domains")).collect();
        ancestors
    };
    if let Ok(here) = std::env::current_dir() {
        folders.push(PathBuf::from("domains"));
        folders.extend(upwards(here).into_iter().skip(1));
    }
    if let Some(folder) = beside
        && let Ok(folder) = folder.unwrap_or(Path::new(".")).canonicalize()
    {
        folders.extend(upwards(folder));
    }
    let mut seen = Vec::new();
    for folder in folders {
        let files: Vec<PathBuf> = sources(&folder).into_iter().map(tidy).collect();
        let mut found = defining(&files, name);
        seen.extend(files);
        found.retain(|file| !same_file(file, problem));
        match found.len() {
            0 => {}
            1 => return Ok(found.remove(0)),
            _ => {
                let list: Vec<String> = found.iter().map(|f| f.display().to_string()).collect();
                return Err(Failure::usage(
                    format!(
                        "{}: several files define the domain `{name}`: {}",
                        problem.display(),
                        list.join(", ")
                    ),
                    "choose one with `--domain FILE`",
                ));
            }
        }
    }
    let message = if beside.is_some() {
        format!(
            "{}: no file defines the domain `{name}`, neither beside the problem nor in `domains/`",
            problem.display()
        )
    } else {
        format!("standard input: no file in `domains/` defines the domain `{name}`")
    };
    let help = "give the domain file with `--domain FILE`";
    let help = match other_domains(&seen, problem, name) {
        Some(others) => format!("{others} {help}"),
        None => help.to_owned(),
    };
    Err(Failure::usage(message, help))
}

/// What a folder holds instead of the domain that was looked for: one of a similar name, or a file that
/// defines nothing that can be read.
fn other_domains(seen: &[PathBuf], problem: &Path, name: &str) -> Option<String> {
    let mut unclear = None;
    let mut defined: Vec<(String, &Path)> = Vec::new();
    for path in seen.iter().filter(|path| !same_file(path, problem)) {
        match definition(path) {
            Some((kind, name)) if is_domain(&kind) => defined.push((name, path)),
            Some((kind, _)) if kind.eq_ignore_ascii_case("problem") => {}
            _ => unclear = unclear.or(Some(path)),
        }
    }
    if let Some(near) = suggest(name, defined.iter().map(|(name, _)| &**name)) {
        let (_, path) = defined.iter().find(|(name, _)| name == near)?;
        return Some(format!(
            "did you mean `{near}`, of {}? Otherwise,",
            path.display()
        ));
    }
    unclear.map(|path| format!("{} defines neither a domain nor a problem;", path.display()))
}

/// The files among these that define a domain of that name.
fn defining(files: &[PathBuf], name: &str) -> Vec<PathBuf> {
    let is_it = |path: &&PathBuf| {
        domain_name(path).is_some_and(|defined| defined.eq_ignore_ascii_case(name))
    };
    files.iter().filter(is_it).cloned().collect()
}

/// The `.pddl` files of a folder, by name.
fn sources(folder: &Path) -> Vec<PathBuf> {
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

/// The name in `(define (domain name)`, also where that word is misspelt, and whatever else may be wrong
/// with the file.
pub(super) fn domain_name(path: &Path) -> Option<String> {
    let (kind, name) = definition(path)?;
    is_domain(&kind).then_some(name)
}

fn is_domain(word: &str) -> bool {
    suggest(word, ["problem", "domain"]) == Some("domain")
}

/// The name in `(:domain name)`.
pub(super) fn domain_of_problem(path: &Path) -> Option<String> {
    let words = first_words(path)?;
    let mut words = words
        .iter()
        .skip_while(|word| !word.eq_ignore_ascii_case(":domain"));
    words.nth(1).cloned()
}

/// The words `domain` and `name` in `(define (domain name)`.
fn definition(path: &Path) -> Option<(String, String)> {
    let words = first_words(path)?;
    match &words[..] {
        [open, define, inner, kind, name, ..]
            if open == "(" && define.eq_ignore_ascii_case("define") && inner == "(" =>
        {
            Some((kind.clone(), name.clone()))
        }
        _ => None,
    }
}

/// Words and parentheses at the beginning of a file.
fn first_words(path: &Path) -> Option<Vec<String>> {
    /// More than these stand before the name of a domain.
    const WORDS: usize = 64;
    let mut bytes = Vec::new();
    let file = std::fs::File::open(path).ok()?;
    file.take(SNIFFED_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let lines = text
        .lines()
        .map(|line| line.split(';').next().unwrap_or_default());
    let lines = lines.map(|line| line.replace('(', " ( ").replace(')', " ) "));
    let words = lines.flat_map(|line| {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        words
    });
    Some(words.take(WORDS).collect())
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
fn tidy(path: PathBuf) -> PathBuf {
    path.strip_prefix(".").map(Path::to_owned).unwrap_or(path)
}
