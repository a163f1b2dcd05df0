//! `brigade fmt`: files in the canonical layout.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;

use super::exit::{Exit, Failure, Result};
use super::files;
use super::load::Session;
use super::printer::Printer;
use crate::diagnostics::{Code, Diagnostic};
use crate::import::json::looks_like_json;
use crate::syntax::format::{FormatError, format};
use crate::syntax::span::Span;
use crate::words::counted;

/// Arguments of `fmt`.
#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Domain and problem files, and folders of them; `-` is standard input, and is written to
    /// standard output
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Write nothing; say which files are not in the canonical layout
    #[arg(long)]
    pub(super) check: bool,
}

/// What came of the files.
#[derive(Default)]
struct Count {
    changed: usize,
    /// That hold no definition that can be formatted.
    unreadable: usize,
    /// That cannot be read or written at all.
    failed: usize,
}

/// Formats files. The exit code is [`Exit::Negative`] if one is to be changed,
/// with `--check`, and [`Exit::Malformed`] if one cannot be read.
pub(super) fn run(printer: &Printer, args: &FmtArgs) -> Result {
    let mut count = Count::default();
    let paths = files::expanded(&args.files);
    let mut worst = Exit::Done;
    for path in &paths {
        match one(printer, path, args.check, &mut count) {
            // A file that cannot be read or written does not keep the others from it.
            Err(
                failure @ (Failure::File { .. } | Failure::Usage { .. } | Failure::Internal(_)),
            ) => {
                printer.failure(&failure);
                count.failed += 1;
                worst = worst.max(failure.exit());
            }
            done => done?,
        }
    }
    let files = counted(paths.len(), "file");
    let changed = match (args.check, count.changed) {
        (_, 0) if count.unreadable + count.failed == paths.len() => String::new(),
        (_, 0) => ", none to be changed".to_owned(),
        (true, changed) => format!(", {changed} to be changed"),
        (false, changed) => format!(", {changed} changed"),
    };
    let unreadable = match count.unreadable {
        0 => String::new(),
        unreadable => format!(", {unreadable} not readable"),
    };
    let failed = match count.failed {
        0 => String::new(),
        failed => format!(", {failed} failed"),
    };
    printer.note(&format!("{files}{changed}{unreadable}{failed}"));
    if args.check && count.changed + count.unreadable > 0 {
        worst = worst.max(Exit::Negative);
    } else if count.unreadable > 0 {
        worst = worst.max(Exit::Malformed);
    }
    Ok(worst)
}

fn one(printer: &Printer, path: &Path, check: bool, count: &mut Count) -> Result<()> {
    let mut session = Session::default();
    let source = session.add_file(path)?;
    let formatted = source.map(|source| {
        let text = session.sources.text(source);
        if looks_like_json(text) {
            return Err(Failure::file(path, "is JSON, which is not formatted"));
        }
        if !text.contains('(') {
            session.diagnostics.push(
                Diagnostic::new(
                    Code::NotADefinition,
                    "this file defines neither a domain nor a problem",
                )
                .primary(source, Span::default(), "found nothing"),
            );
            return Ok((text, Err(FormatError::Unreadable)));
        }
        Ok((text, format(source, text, &mut session.diagnostics)))
    });
    let formatted = formatted.transpose()?;
    printer.diagnostics(&session.diagnostics, &session.sources);
    let (text, formatted) = match formatted {
        Some((text, Ok(formatted))) => (text, formatted),
        Some((_, Err(error @ FormatError::Changed))) => {
            return Err(Failure::Internal(format!("{}: {error}", path.display())));
        }
        Some((_, Err(FormatError::Unreadable))) | None => {
            count.unreadable += 1;
            return Ok(());
        }
    };
    let is_changed = text != formatted;
    if files::is_stdin(path) && !check {
        count.changed += usize::from(is_changed);
        return printer.text(&formatted);
    }
    if !is_changed {
        return Ok(());
    }
    if !check {
        replace(path, &formatted)?;
    }
    count.changed += 1;
    printer.text(&format!("{}\n", path.display()))
}

/// Replaces what a file holds, all at once.
fn replace(path: &Path, text: &str) -> Result<()> {
    let fail = |error: std::io::Error| Failure::unwritable(path, &error);
    // A link stays one.
    let path = path.canonicalize().map_err(fail)?;
    let mut beside = path.clone().into_os_string();
    beside.push(".part");
    let permissions = fs::metadata(&path).map_err(fail)?.permissions();
    let written = fs::write(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, permissions))
        .and_then(|()| fs::rename(&beside, &path));
    written.map_err(|error| {
        // What is left of it is of no use; the file itself is as it was.
        let _ = fs::remove_file(&beside);
        fail(error)
    })
}
