//! The two versions of each thing that is compared, and where they stand.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::exit::{Failure, Result};
use super::super::facts::rejected;
use super::super::files;
use super::super::load::Session;
use super::super::paths::within;
use super::super::printer::Printer;
use super::args::DiffArgs;
use super::document::{Document, DomainDiff};
use crate::report::facts::{Definition, DomainFacts, problem_definitions};
use crate::syntax::{self, File};

/// The content of a path.
enum Holds {
    Folder,
    Domain(Box<DomainFacts>),
    Problem(Vec<Definition>),
}

/// A problem file and its domain, if that is known.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) problem: PathBuf,
    pub(super) domain: Option<PathBuf>,
    /// The definitions of the file.
    pub(super) definitions: Vec<Definition>,
}

/// The two versions of one thing; one of them may be missing.
#[derive(Debug)]
pub(super) struct Pair<T> {
    pub(super) name: String,
    pub(super) before: Option<T>,
    pub(super) after: Option<T>,
}

/// The problems to compare. The declarations of domains are compared on the way.
pub(super) fn pairs(
    printer: &Printer,
    args: &DiffArgs,
    document: &mut Document,
) -> Result<Vec<Pair<Source>>> {
    let holds = [&args.before, &args.after].map(|path| holds(printer, path));
    let [before, after] = holds;
    match (before?, after?) {
        (Holds::Folder, Holds::Folder) => folders(printer, args, document),
        (Holds::Domain(before), Holds::Domain(after)) => {
            if args.domain.is_some() {
                return Err(Failure::usage(
                    "`--domain` is for two problems, and these are domains",
                    "give problems to compile with both by `--problem FILE`",
                ));
            }
            let name = args.after.display().to_string();
            document
                .domains
                .push(DomainDiff::new(name, Some(&before), Some(&after))?);
            // Both versions have the same problems.
            let source = |problem: &PathBuf, domain: &PathBuf| Source {
                problem: problem.clone(),
                domain: Some(domain.clone()),
                definitions: Vec::new(),
            };
            let problems = args.problem.iter().map(|problem| Pair {
                name: problem.display().to_string(),
                before: Some(source(problem, &args.before)),
                after: Some(source(problem, &args.after)),
            });
            Ok(problems.collect())
        }
        (Holds::Problem(before), Holds::Problem(after)) if args.problem.is_empty() => {
            let source = |problem: &PathBuf, definitions| Source {
                problem: problem.clone(),
                domain: args.domain.clone(),
                definitions,
            };
            Ok(vec![Pair {
                name: args.after.display().to_string(),
                before: Some(source(&args.before, before)),
                after: Some(source(&args.after, after)),
            }])
        }
        (Holds::Problem(_), Holds::Problem(_)) => Err(Failure::usage(
            "`--problem` is for two domains, and these are problems",
            "leave it out",
        )),
        _ => Err(Failure::usage(
            format!(
                "{} and {} are not versions of one thing",
                args.before.display(),
                args.after.display()
            ),
            "give two domain files, two problem files, or two folders",
        )),
    }
}

/// Reads enough of a path to say what it holds.
fn holds(printer: &Printer, path: &Path) -> Result<Holds> {
    if path.is_dir() {
        return Ok(Holds::Folder);
    }
    let mut session = Session::default();
    let source = session.add_file(path)?;
    let file = source.and_then(|source| {
        let text = session.sources.text(source);
        syntax::parse_file(source, text, &mut session.diagnostics)
    });
    rejected(printer, &mut session)?;
    match file {
        Some(File::Domain(domain)) => Ok(Holds::Domain(Box::new(DomainFacts::new(&domain)))),
        Some(File::Problem(problem)) => Ok(Holds::Problem(problem_definitions(&problem))),
        Some(File::Stream(_)) | None => Err(Failure::malformed(
            path,
            "holds neither a domain nor a problem",
        )),
    }
}

/// The files of two folders, by their paths within them.
fn folders(
    printer: &Printer,
    args: &DiffArgs,
    document: &mut Document,
) -> Result<Vec<Pair<Source>>> {
    if !args.problem.is_empty() {
        return Err(Failure::usage(
            "`--problem` is for two domains, and these are folders",
            "leave it out: the problems in both are compared",
        ));
    }
    let before = Folder::read(printer, &args.before)?;
    let after = Folder::read(printer, &args.after)?;
    let names: BTreeSet<&PathBuf> = before
        .files
        .iter()
        .chain(&after.files)
        .map(|file| &file.0)
        .collect();
    let mut pairs = Vec::new();
    for name in names {
        let (old, new) = (before.get(name), after.get(name));
        let shown = name.display().to_string();
        let declared = [old, new].map(|holds| match holds {
            Some(Holds::Domain(facts)) => Some(&**facts),
            _ => None,
        });
        if declared.iter().any(Option::is_some) {
            document
                .domains
                .push(DomainDiff::new(shown.clone(), declared[0], declared[1])?);
        }
        let pair = Pair {
            name: shown,
            before: before.source(name, args)?,
            after: after.source(name, args)?,
        };
        if pair.before.is_some() || pair.after.is_some() {
            pairs.push(pair);
        }
    }
    Ok(pairs)
}

/// The domains and problems in a folder, by their paths within it.
struct Folder<'a> {
    path: &'a Path,
    files: Vec<(PathBuf, Holds)>,
}

impl<'a> Folder<'a> {
    fn read(printer: &Printer, path: &'a Path) -> Result<Self> {
        let mut files = Vec::new();
        for file in files::expanded(&[path.to_owned()]) {
            if file == path {
                // It holds nothing, which reading it says.
                files::read(path)?;
            }
            let within = file.strip_prefix(path).unwrap_or(&file).to_owned();
            files.push((within, holds(printer, &file)?));
        }
        Ok(Self { path, files })
    }

    fn get(&self, name: &Path) -> Option<&Holds> {
        let found = self.files.iter().find(|(file, _)| file == name);
        found.map(|(_, holds)| holds)
    }

    /// A problem with its domain: the one in this folder that it names, so that each version is
    /// compiled with its own. Where that is not one, the domain is looked for as elsewhere. `None` if
    /// the folder has no such problem.
    fn source(&self, name: &Path, args: &DiffArgs) -> Result<Option<Source>> {
        let Some(Holds::Problem(definitions)) = self.get(name) else {
            return Ok(None);
        };
        let problem = within(self.path, name);
        let mut session = Session::default();
        let source = session.add_file(&problem)?;
        let named = source.and_then(|source| {
            let text = session.sources.text(source);
            let read = syntax::parse_problem(source, text, &mut session.diagnostics);
            read.domain.map(|domain| domain.text)
        });
        let is_named = |facts: &DomainFacts| {
            let named = named.as_deref();
            named.is_some_and(|named| facts.domain.eq_ignore_ascii_case(named))
        };
        let mut domains = self.files.iter().filter_map(|(file, holds)| match holds {
            Holds::Domain(facts) if is_named(facts) => Some(within(self.path, file)),
            _ => None,
        });
        let only = domains.next().filter(|_| domains.next().is_none());
        Ok(Some(Source {
            problem,
            domain: args.domain.clone().or(only),
            definitions: definitions.clone(),
        }))
    }
}
