//! `brigade snapshot`: the facts of files, compared with those that were accepted.

mod args;
mod compare;
mod entry;
mod places;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Serialize;

pub(super) use args::SnapshotArgs;
pub(super) use compare::accept;

use super::args::Format;
use super::bundled;
use super::compared::coloured;
use super::control::interrupted;
use super::exit::{Exit, Failure, Result};
use super::files;
use super::printer::Printer;
use crate::diagnostics::words::counted;
use compare::one;
use entry::{Entry, Status};
use places::place;

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    /// True if new or changed snapshots were written.
    accepted: bool,
    snapshots: &'a [Entry],
}

/// Compares facts with snapshots. The exit code is [`Exit::Negative`] if any differ and are not
/// accepted.
pub(super) fn run(printer: &Printer, args: &SnapshotArgs) -> Result {
    let has_no_place = |path: &Path| files::is_stdin(path) || bundled::is_within(path);
    if args.paths.iter().any(|path| has_no_place(path)) {
        return Err(Failure::usage(
            "what is no file has no place for a snapshot",
            "give files, or folders of them; `brigade domains --copy NAME` makes one of what is bundled",
        ));
    }
    let sources = files::expanded(&args.paths);
    let mut places = BTreeSet::new();
    for source in &sources {
        let place = place(source, args.folder.as_deref());
        if !places.insert(place.clone()) {
            return Err(Failure::usage(
                format!(
                    "two of the files have the same snapshot, {}",
                    place.display()
                ),
                "give each file once, with files of one folder named apart",
            ));
        }
    }
    let mut worst = Exit::Done;
    let mut entries = Vec::new();
    for source in &sources {
        if interrupted() {
            return Err(Failure::Stopped("all files were compared"));
        }
        let (entry, exit) = one(printer, source, args)?;
        worst = worst.max(exit);
        show(printer, args, &entry)?;
        entries.push(entry);
    }
    for gone in places::gone(&args.paths, args.folder.as_deref(), &sources, &places)? {
        if args.accept {
            fs::remove_file(&gone).map_err(|error| Failure::unwritable(&gone, &error))?;
        } else {
            worst = worst.max(Exit::Negative);
        }
        let entry = Entry {
            source: None,
            snapshot: gone.display().to_string(),
            status: Status::Removed,
            diff: Vec::new(),
            failure: None,
        };
        show(printer, args, &entry)?;
        entries.push(entry);
    }
    if args.format == Format::Json {
        printer.json(&Document {
            schema: 1,
            accepted: args.accept,
            snapshots: &entries,
        })?;
    }
    printer.note(&summary(&entries, args.accept));
    Ok(worst)
}

/// Shows how one file stands.
fn show(printer: &Printer, args: &SnapshotArgs, entry: &Entry) -> Result<()> {
    if args.format == Format::Json || entry.status == Status::Unchanged {
        return Ok(());
    }
    let of = entry.source.as_ref().unwrap_or(&entry.snapshot);
    let mut text = format!("{}: {of}\n", entry.status.word());
    if !args.accept {
        text.push_str(&coloured(&entry.diff));
    }
    printer.text(&text)
}

/// Renders the number of snapshots of each kind, and the advice about them.
fn summary(entries: &[Entry], accepted: bool) -> String {
    let kinds = [
        Status::Unchanged,
        Status::Changed,
        Status::New,
        Status::Removed,
        Status::Failed,
    ];
    let counts = kinds.into_iter().filter_map(|status| {
        let of = entries.iter().filter(|entry| entry.status == status);
        let count = of.count();
        (count > 0).then(|| format!("{count} {}", status.word()))
    });
    let counts: Vec<String> = counts.collect();
    let mut text = format!(
        "{}: {}",
        counted(entries.len(), "snapshot"),
        counts.join(", ")
    );
    let differs = |entry: &Entry| !matches!(entry.status, Status::Unchanged | Status::Failed);
    if entries.iter().any(differs) {
        text.push_str(if accepted {
            "; accepted"
        } else {
            "\n  help: if this is what you want, run it again with `--accept`"
        });
    }
    text
}
