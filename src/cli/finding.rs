//! Finds the file that defines a domain: by the first words of the files beside a problem and in `domains/`, or a
//! domain that is part of the binary.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::bundled;
use super::exit::{Failure, Result};
use super::files::{self, is_stdin, same_file, sources};
use super::paths::{folder_of, within};
use crate::diagnostics::suggest;
use crate::import::json::looks_like_json;
use crate::import::robotouille;

/// The most bytes of a file that are read to see which domain it defines.
const SNIFFED_BYTES: u64 = 64 << 10;

/// A file, and the words `domain` and `name` in its `(define (domain name)`.
#[derive(Debug)]
struct Definition {
    path: PathBuf,
    words: Option<(String, String)>,
}

impl Definition {
    /// Returns true if it defines a domain of that name.
    fn is_domain(&self, name: &str) -> bool {
        let words = self.words.as_ref();
        words.is_some_and(|(kind, own)| is_domain(kind) && own.eq_ignore_ascii_case(name))
    }
}

/// The content of a file, as far as its first words show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Domain,
    Problem,
}

impl Role {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Domain => "domain",
            Self::Problem => "problem",
        }
    }
}

/// Finds the domains of problems; looks into each folder once.
#[derive(Debug, Default)]
pub(super) struct Domains {
    folders: Mutex<BTreeMap<PathBuf, Arc<Vec<Definition>>>>,
}

impl Domains {
    /// The file that defines the domain a problem names.
    ///
    /// Beside the problem: `domain.pddl` or `<problem>-domain.pddl`, or where these define another, the
    /// one file there that defines it. Then `domains/`, from the working directory and from the problem's
    /// folder upwards. Then the domains that are part of the binary.
    pub(super) fn find(&self, problem: &Path, name: Option<&str>) -> Result<PathBuf> {
        if let Some(own) = bundled::domain_at(problem) {
            return Ok(own.place());
        }
        let beside = if is_stdin(problem) {
            None
        } else {
            Some(folder_of(problem))
        };
        // By the name of its file; by another in it only where no other file there is of that name.
        let mut by_file = None;
        if let Some(folder) = beside {
            let stem = problem.file_stem().unwrap_or_default().to_string_lossy();
            for file in ["domain.pddl".to_owned(), format!("{stem}-domain.pddl")] {
                let file = within(folder, file);
                if file.is_file() && !same_file(&file, problem) {
                    let defined = domain_name(&file);
                    let is_other = name
                        .zip(defined)
                        .is_some_and(|(name, defined)| !name.eq_ignore_ascii_case(&defined));
                    if !is_other {
                        return Ok(file);
                    }
                    by_file = by_file.or(Some(file));
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
            folders.push(folder.to_owned());
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
            && let Ok(folder) = folder.canonicalize()
        {
            folders.extend(upwards(folder));
        }
        let mut seen = Vec::new();
        for folder in folders {
            let files = self.in_folder(folder);
            let named = files.iter().filter(|file| file.is_domain(name));
            let found: Vec<&Path> = named
                .map(|file| &*file.path)
                .filter(|path| !same_file(path, problem))
                .collect();
            match found[..] {
                [] => {
                    if let Some(file) = by_file.take() {
                        return Ok(file);
                    }
                }
                [path] => return Ok(path.to_owned()),
                _ if by_file.is_some() => return Ok(by_file.unwrap_or_default()),
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
            seen.push(files);
        }
        if let Some(domain) = bundled::domain(name) {
            return Ok(domain.place());
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

    /// The files of a folder.
    fn in_folder(&self, folder: PathBuf) -> Arc<Vec<Definition>> {
        let mut folders = self.folders.lock().unwrap_or_else(PoisonError::into_inner);
        let files = folders.entry(folder).or_insert_with_key(|folder| {
            let defining = sources(folder).into_iter().map(|path| Definition {
                words: definition(&path),
                path,
            });
            Arc::new(defining.collect())
        });
        Arc::clone(files)
    }
}

/// Describes the content of a folder without the domain that was looked for: one of a similar name, or a file that
/// defines nothing that can be read.
fn other_domains(seen: &[Arc<Vec<Definition>>], problem: &Path, name: &str) -> Option<String> {
    let mut unclear = None;
    let mut defined: Vec<(&str, &Path)> = Vec::new();
    for Definition { path, words } in seen.iter().flat_map(|files| files.iter()) {
        match words {
            Some((kind, _)) if kind.eq_ignore_ascii_case("problem") => {}
            _ if same_file(path, problem) => {}
            Some((kind, name)) if is_domain(kind) => defined.push((name, path)),
            _ => unclear = unclear.or(Some(path)),
        }
    }
    if let Some(near) = suggest(name, defined.iter().map(|(name, _)| *name)) {
        let (_, path) = defined.iter().find(|(name, _)| *name == near)?;
        return Some(format!(
            "did you mean `{near}`, of {}? Otherwise,",
            path.display()
        ));
    }
    unclear.map(|path| format!("{} defines neither a domain nor a problem;", path.display()))
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

/// Returns the content of a file, as far as its beginning shows. A pipe can be read once only, and shows nothing.
pub(super) fn role_of(path: &Path) -> Option<Role> {
    let role_of_json = || {
        let text = files::read_text(path).ok()?;
        robotouille::kind(&text).map(|kind| match kind {
            robotouille::Kind::Domain => Role::Domain,
            robotouille::Kind::Environment => Role::Problem,
        })
    };
    if looks_like_json(&beginning(path)?) {
        return role_of_json();
    }
    let (kind, _) = definition(path)?;
    match suggest(&kind, ["problem", "domain"])? {
        "domain" => Some(Role::Domain),
        _ => Some(Role::Problem),
    }
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

/// The first of a file's text.
fn beginning(path: &Path) -> Option<String> {
    let bytes = if is_stdin(path) || bundled::is_within(path) || !path.is_file() {
        // What is no file can be read once only.
        files::read(path).ok()?
    } else {
        let mut bytes = Vec::new();
        let file = std::fs::File::open(path).ok()?;
        file.take(SNIFFED_BYTES).read_to_end(&mut bytes).ok()?;
        bytes
    };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Words and parentheses at the beginning of a file.
fn first_words(path: &Path) -> Option<Vec<String>> {
    /// More than these stand before the name of a domain.
    const WORDS: usize = 64;
    let text = beginning(path)?;
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
