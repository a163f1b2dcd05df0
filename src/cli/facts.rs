//! Facts of files, as `check`, `snapshot` and `diff` derive them.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::thread::available_parallelism;
use std::time::Duration;

use clap::Args;
use serde::Serialize;

use super::args::{DomainArgs, seconds, threads};
use super::control::Deadline;
use super::exit::{Failure, Result};
use super::load::{Purpose, Session, compile, note_bundled};
use super::plannable;
use super::printer::Printer;
use crate::diagnostics::json::resolve_all;
use crate::import::robotouille;
use crate::report::facts::{Derived, DomainFacts, Effort, Facts, text};
use crate::search::Control;
use crate::syntax::ast::Problem;
use crate::syntax::{self, File};

/// States of a search for facts where nobody says how many.
pub(super) const DEFAULT_STATES: u64 = 300_000;

/// Facts that `check` is asked for.
#[derive(Debug, Args)]
pub(super) struct FactsArgs {
    /// Print the facts of each file: what a domain declares; how large a problem is, its optimum, plans
    /// and references, dead ends, and how much its agents need each other
    #[arg(long, conflicts_with = "syntax_only")]
    pub(super) facts: bool,

    /// With `--facts`: states that each search may store; 0 searches nothing
    #[arg(long, value_name = "N", default_value_t = DEFAULT_STATES, requires = "facts", allow_negative_numbers = true)]
    states: u64,

    /// With `--facts`: seconds after which the search in a file ends; what it has not found is not known
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = seconds,
        default_value = "10",
        allow_hyphen_values = true,
        requires = "facts"
    )]
    time_limit: Duration,

    /// With `--facts`: search with this many threads; what is printed does not depend on it. Default: as
    /// many as there are cores
    #[arg(
        long,
        value_name = "THREADS",
        value_parser = threads,
        allow_hyphen_values = true,
        requires = "facts"
    )]
    jobs: Option<NonZeroUsize>,
}

/// The facts of a file in JSON.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum FileFacts {
    Domain(Box<DomainFacts>),
    Problem(Box<Facts>),
}

impl FileFacts {
    /// As text.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Domain(facts) => text::domain(facts),
            Self::Problem(facts) => text::problem(facts),
        }
    }
}

/// Returns the effort of a search for facts; `None` where nothing is to be searched.
pub(super) fn effort(states: u64, jobs: Option<NonZeroUsize>) -> Option<Effort> {
    let cores = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
    (states > 0).then(|| Effort {
        states,
        threads: jobs.unwrap_or_else(cores),
    })
}

/// The facts of a file in which nothing is wrong; `None` if it holds neither a domain nor a problem of
/// the language.
pub(super) fn of_file(
    printer: &Printer,
    path: &Path,
    domain: &DomainArgs,
    args: &FactsArgs,
) -> Result<Option<FileFacts>> {
    let mut session = Session::default();
    let Some(source) = session.add_file(path)? else {
        return Ok(None);
    };
    let text = session.sources.text(source);
    if robotouille::kind(text) == Some(robotouille::Kind::Domain) {
        return Ok(None);
    }
    match syntax::parse_file(source, text, &mut session.diagnostics) {
        Some(File::Domain(domain)) => {
            return Ok(Some(FileFacts::Domain(Box::new(DomainFacts::new(&domain)))));
        }
        Some(File::Stream(_)) => return Ok(None),
        Some(File::Problem(_)) | None => {}
    }
    let control = Deadline::new(printer, Some(args.time_limit));
    let effort = effort(args.states, args.jobs);
    let derived = of_problem(printer, path, domain, effort.as_ref(), &control)?;
    Ok(Some(FileFacts::Problem(Box::new(derived.facts))))
}

/// The facts of a problem under one semantics. Errors in it are printed; mere warnings are not.
pub(super) fn of_problem(
    printer: &Printer,
    path: &Path,
    domain: &DomainArgs,
    effort: Option<&Effort>,
    control: &Deadline<'_>,
) -> Result<Derived> {
    let mut session = Session::default();
    let model = session.model(path, domain);
    note_bundled(printer, &session.files);
    session.diagnostics.sort();
    if session.diagnostics.has_errors() {
        printer.diagnostics(&session.diagnostics, &session.sources);
    }
    let model = model?
        .ok_or_else(|| Failure::Rejected(resolve_all(&session.diagnostics, &session.sources)))?;
    let stop = || control.stop().is_some();
    let loaded = compile(printer, &session.sources, &model, 0.0, Purpose::Plan, &stop)?;
    let effort = match plannable::check(&loaded.task, "no plans are searched") {
        Err(failure) if effort.is_some() => {
            printer.note(&format!("{}: {failure}", path.display()));
            None
        }
        _ => effort,
    };
    Ok(Derived::new(&model, &loaded.task, effort, control)?)
}

/// The semantics that a problem's domain declares.
pub(super) fn declared(
    session: &mut Session,
    path: &Path,
    problem: &Problem,
    domain: Option<PathBuf>,
) -> Result<Vec<String>> {
    let args = DomainArgs {
        domain,
        init: Vec::new(),
        streams: Vec::new(),
        semantics: String::new(),
    };
    let domain = session.domain(path, problem, &args)?;
    // Without a domain compiling says what is wrong.
    Ok(domain.map_or_else(
        || vec!["clean".to_owned()],
        |(_, domain)| DomainFacts::new(&domain).semantics,
    ))
}

/// Fails if there are errors, which are printed.
pub(super) fn rejected(printer: &Printer, session: &mut Session) -> Result<()> {
    if !session.diagnostics.has_errors() {
        return Ok(());
    }
    session.diagnostics.sort();
    printer.diagnostics(&session.diagnostics, &session.sources);
    let diagnostics = resolve_all(&session.diagnostics, &session.sources);
    Err(Failure::Rejected(diagnostics))
}
