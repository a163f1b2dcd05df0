//! `brigade fmt`: files in the canonical layout.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::args::Format;
use super::exit::{Exit, Failure, Result};
use super::files;
use super::load::Session;
use super::paths;
use super::printer::Printer;
use crate::diagnostics::span::Span;
use crate::diagnostics::words::counted;
use crate::diagnostics::{Code, Diagnostic};
use crate::import::json::looks_like_json;
use crate::syntax::format::{FormatError, format};

/// Arguments of `fmt`.
#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Domain and problem files, and folders of them; `-` is standard input, and is written to
    /// standard output
    #[arg(required = true, value_name = "FILE", value_parser = paths::given())]
    files: Vec<PathBuf>,

    /// Write nothing; say which files are not in the canonical layout
    #[arg(long)]
    pub(super) check: bool,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    files: Vec<Formatted>,
}

/// The result of formatting a file.
#[derive(Debug, Serialize)]
struct Formatted {
    file: String,
    status: Status,
    /// The reason why it failed.
    failure: Option<String>,
    /// The formatted text of standard input.
    text: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// It is in the canonical layout.
    Unchanged,
    /// It was not, and with `--check` is not.
    Changed,
    /// It holds no definition that can be formatted.
    Unreadable,
    /// It cannot be read or written at all.
    Failed,
}

/// Formats files. The exit code is [`Exit::Negative`] if one is to be changed, with `--check`, and
/// [`Exit::Malformed`] if one cannot be read.
pub(super) fn run(printer: &Printer, args: &FmtArgs) -> Result {
    let paths = files::expanded(&args.files);
    let mut worst = Exit::Done;
    let mut document = Document {
        schema: 1,
        files: Vec::new(),
    };
    for path in &paths {
        let mut formatted = Formatted {
            file: path.display().to_string(),
            status: Status::Failed,
            failure: None,
            text: None,
        };
        match one(printer, path, args.check) {
            // A file that cannot be read or written does not keep the others from it.
            Err(
                failure @ (Failure::File { .. } | Failure::Usage { .. } | Failure::Internal(_)),
            ) => {
                printer.failure(&failure);
                formatted.failure = Some(failure.to_string());
                worst = worst.max(failure.exit());
            }
            Err(failure) => return Err(failure),
            Ok((status, text)) => {
                formatted.status = status;
                formatted.text = text;
            }
        }
        if args.format == Format::Text {
            show(printer, &formatted)?;
        }
        document.files.push(formatted);
    }
    let count = |status| {
        document
            .files
            .iter()
            .filter(|it| it.status == status)
            .count()
    };
    let (changed, unreadable) = (count(Status::Changed), count(Status::Unreadable));
    printer.note(&summary(args.check, changed, unreadable, &document));
    if args.format == Format::Json {
        printer.json(&document)?;
    }
    if args.check && changed + unreadable > 0 {
        worst = worst.max(Exit::Negative);
    } else if unreadable > 0 {
        worst = worst.max(Exit::Malformed);
    }
    Ok(worst)
}

fn show(printer: &Printer, formatted: &Formatted) -> Result<()> {
    match &formatted.text {
        Some(text) => printer.text(text),
        None if formatted.status == Status::Changed => {
            printer.text(&format!("{}\n", formatted.file))
        }
        None => Ok(()),
    }
}

fn summary(check: bool, changed: usize, unreadable: usize, document: &Document) -> String {
    let all = document.files.len();
    let failed = document.files.iter();
    let failed = failed.filter(|it| it.status == Status::Failed).count();
    let changed = match (check, changed) {
        (_, 0) if unreadable + failed == all => String::new(),
        (_, 0) => ", none to be changed".to_owned(),
        (true, changed) => format!(", {changed} to be changed"),
        (false, changed) => format!(", {changed} changed"),
    };
    let part = |count: usize, what: &str| match count {
        0 => String::new(),
        count => format!(", {count} {what}"),
    };
    let (unreadable, failed) = (part(unreadable, "not readable"), part(failed, "failed"));
    format!("{}{changed}{unreadable}{failed}", counted(all, "file"))
}

/// Formats a file. The text is that of standard input.
fn one(printer: &Printer, path: &Path, check: bool) -> Result<(Status, Option<String>)> {
    if !check && !files::is_stdin(path) && !path.is_dir() {
        // Nothing else has a place to be written back to.
        files::check_is_file(path)?;
    }
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
        Some((_, Err(FormatError::Unreadable))) | None => return Ok((Status::Unreadable, None)),
    };
    let status = if text == formatted {
        Status::Unchanged
    } else {
        Status::Changed
    };
    if files::is_stdin(path) && !check {
        return Ok((status, Some(formatted)));
    }
    if status == Status::Changed && !check {
        files::write(path, &formatted)?;
    }
    Ok((status, None))
}
