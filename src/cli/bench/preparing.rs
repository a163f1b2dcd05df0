//! Preparing a problem of a bench file, to be played or to be shown: compiling it, and the failure of a
//! proof.

use std::path::{Path, PathBuf};

use crate::cli::args::{DomainArgs, ProblemArgs};
use crate::cli::control::Deadline;
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::load::{Loaded, Purpose, load};
use crate::cli::paths;
use crate::cli::printer::Printer;
use crate::search::{SearchOptions, StopReason};
use crate::sema::DEFAULT_SEMANTICS;

/// The way to prepare a bench file.
pub(super) struct Preparing<'a> {
    pub(super) printer: &'a Printer,
    /// The folder of the bench file.
    pub(super) beside: &'a Path,
    pub(super) search: SearchOptions,
    /// The time limit of the search for an optimum.
    pub(super) control: &'a Deadline<'a>,
}

impl Preparing<'_> {
    /// A file that the bench file names.
    pub(super) fn path(&self, path: &Path) -> PathBuf {
        paths::beside(self.beside, path)
    }
}

/// Compiles a problem, which is played or shown.
pub(super) fn compile(
    path: &Path,
    domain: Option<&Path>,
    init: &[PathBuf],
    semantics: Option<&str>,
    with: &Preparing<'_>,
) -> Result<Loaded> {
    let args = ProblemArgs {
        problem: path.to_owned(),
        domain: DomainArgs {
            domain: domain.map(|domain| with.path(domain)),
            init: init.iter().map(|stream| with.path(stream)).collect(),
            streams: Vec::new(),
            semantics: semantics.unwrap_or(DEFAULT_SEMANTICS).to_owned(),
        },
    };
    let others = args.domain.domain.iter().chain(&args.domain.init);
    for file in std::iter::once(path).chain(others.map(PathBuf::as_path)) {
        files::check_is_file(file)?;
    }
    load(with.printer, &args, Purpose::Play, &|| with.control.over()).map_err(in_terms_of_the_file)
}

/// A failure whose advice is that of commands with `--domain`, which `bench` does not have.
fn in_terms_of_the_file(failure: Failure) -> Failure {
    match failure {
        Failure::Usage {
            message,
            help: Some(help),
        } => {
            let key = "`domain = \"FILE\"` beside its `path` in the bench file";
            Failure::usage(message, help.replace("`--domain FILE`", key))
        }
        other => other,
    }
}

/// The failure of a proof that a limit or an interrupt ended, with advice.
pub(super) fn unproven(path: &Path, reason: StopReason) -> Failure {
    let help = match reason {
        StopReason::Interrupted => "nothing was played; the same command begins again",
        StopReason::Time => {
            "allow more with `--time-limit`, or give the problem `max-ticks` in place of a `budget`"
        }
        StopReason::Memory => {
            "allow more with `--memory-limit`, or give the problem `max-ticks` in place of a `budget`"
        }
        _ => {
            return Failure::usage(
                not_proven(path, reason),
                "give the problem `max-ticks` in place of a `budget`",
            );
        }
    };
    Failure::Limit {
        message: not_proven(path, reason),
        help,
    }
}

fn not_proven(path: &Path, reason: StopReason) -> String {
    format!("{}: the optimum was not proven: {reason}", path.display())
}
