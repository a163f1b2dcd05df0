//! `brigade snapshot`: the facts of files, compared with those that were accepted.

mod places;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::args::{DomainArgs, Format, threads};
use super::bundled;
use super::compared::{Line, compared};
use super::control::{Deadline, interrupted};
use super::exit::{Exit, Failure, Result};
use super::facts::{DEFAULT_STATES, effort, of_problem};
use super::files;
use super::load::Session;
use super::paths::{self, folder_of};
use super::printer::Printer;
use crate::diagnostics::json::resolve_all;
use crate::diagnostics::words::counted;
use crate::report::facts::{DomainFacts, problem_definitions, text};
use crate::report::snapshot::Snapshot;
use crate::sema;
use crate::syntax::ast::Problem;
use crate::syntax::{self, File};
use places::place;

/// Arguments of `snapshot`.
#[derive(Debug, Args)]
pub(super) struct SnapshotArgs {
    /// Domain and problem files, and folders of them
    #[arg(required = true, value_name = "PATH", value_parser = paths::given())]
    paths: Vec<PathBuf>,

    /// Write nothing, as continuous integration wants it; without, what is new or changed is written
    /// beside its snapshot, as `.snap.new`
    #[arg(long, conflicts_with = "accept")]
    pub(super) check: bool,

    /// Write what is new or changed, and remove the snapshots of files that are gone
    #[arg(long)]
    accept: bool,

    /// The domain file of all problems. Default: for each the one that `brigade check` finds
    #[arg(long, short, value_name = "FILE", value_parser = paths::given())]
    domain: Option<PathBuf>,

    /// A semantics to compile under, several if repeated. Default: all that the domain declares
    #[arg(long, value_name = "NAME")]
    semantics: Vec<String>,

    /// States that each search for facts may store; 0 searches nothing. Default: as many as the snapshot
    /// was made with, 300000 for a new one
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    states: Option<u64>,

    /// Keep all snapshots below this folder, by the paths of their files. Default: in `snapshots` beside
    /// each file
    #[arg(long, value_name = "DIR", value_parser = paths::given())]
    folder: Option<PathBuf>,

    /// Search with this many threads; facts do not depend on it. Default: as many as there are cores
    #[arg(long, value_name = "THREADS", value_parser = threads, allow_hyphen_values = true)]
    jobs: Option<NonZeroUsize>,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// How facts stand to what was accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// They are the same.
    Unchanged,
    /// They differ.
    Changed,
    /// Nothing was accepted yet.
    New,
    /// The file is gone.
    Removed,
    /// The facts could not be derived.
    Failed,
}

impl Status {
    const fn word(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::Changed => "changed",
            Self::New => "new",
            Self::Removed => "removed",
            Self::Failed => "failed",
        }
    }
}

/// One snapshot.
#[derive(Debug, Serialize)]
struct Entry {
    /// The file that it is of; `null` if that is gone.
    source: Option<String>,
    /// Where it is kept.
    snapshot: String,
    status: Status,
    /// What was accepted and what is now, as lines with `-`, `+` or a space before them.
    #[serde(serialize_with = "as_texts")]
    diff: Vec<(Line, String)>,
    /// Why the facts could not be derived.
    failure: Option<String>,
}

fn as_texts<S: serde::Serializer>(
    lines: &[(Line, String)],
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.collect_seq(lines.iter().map(|(_, text)| text))
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    /// Whether what is new or changed was written.
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

/// Compares one file with its snapshot, and writes what the arguments say.
fn one(printer: &Printer, source: &Path, args: &SnapshotArgs) -> Result<(Entry, Exit)> {
    let place = place(source, args.folder.as_deref());
    let accepted = match fs::metadata(&place) {
        Ok(found) if found.is_file() => Some(files::read_small_text(&place)?),
        Ok(_) => {
            return Err(Failure::usage(
                format!("{}: is no file; a snapshot is to be there", place.display()),
                "move away what is there, or keep snapshots elsewhere with `--folder`",
            ));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::unreadable(&place, &error)),
    };
    let made_with = accepted
        .as_deref()
        .and_then(|text| Snapshot::parse(text).ok()?.states);
    let states = args.states.or(made_with).unwrap_or(DEFAULT_STATES);
    let mut entry = Entry {
        source: Some(source.display().to_string()),
        snapshot: place.display().to_string(),
        status: Status::Failed,
        diff: Vec::new(),
        failure: None,
    };
    // A file that has no facts does not keep the others from theirs.
    let now = match snapshot_of(printer, source, args, states) {
        Ok(snapshot) => snapshot.to_string(),
        Err(failure @ (Failure::Stopped(_) | Failure::InvalidPlan(_))) => return Err(failure),
        Err(failure) => {
            if args.format == Format::Text {
                printer.failure(&failure);
            }
            entry.failure = Some(failure.to_string());
            let exit = failure.exit();
            return Ok((entry, if args.check { exit.of_check() } else { exit }));
        }
    };
    entry.status = match &accepted {
        None => Status::New,
        Some(text) if *text == now => Status::Unchanged,
        Some(_) => Status::Changed,
    };
    entry.diff = compared(accepted.as_deref().unwrap_or_default(), &now);
    let mut pending = place.clone().into_os_string();
    pending.push(".new");
    let pending = PathBuf::from(pending);
    let differs = entry.status != Status::Unchanged;
    if differs && !args.check {
        let path = if args.accept { &place } else { &pending };
        files::check_is_file(path)?;
        let folder = folder_of(path);
        fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))?;
        files::write(path, &now)?;
    }
    if !args.check && (args.accept || !differs) && pending.is_file() {
        fs::remove_file(&pending).map_err(|error| Failure::unwritable(&pending, &error))?;
    }
    let exit = if differs && !args.accept {
        Exit::Negative
    } else {
        Exit::Done
    };
    Ok((entry, exit))
}

/// Writes the snapshots of files that have none.
pub(super) fn accept(printer: &Printer, sources: &[PathBuf]) -> Result<()> {
    let args = SnapshotArgs {
        paths: sources.to_vec(),
        check: false,
        accept: true,
        domain: None,
        semantics: Vec::new(),
        states: None,
        folder: None,
        jobs: None,
        format: Format::Text,
    };
    for source in sources {
        one(printer, source, &args)?;
    }
    Ok(())
}

/// The facts of a file as they are now.
fn snapshot_of(
    printer: &Printer,
    path: &Path,
    args: &SnapshotArgs,
    states: u64,
) -> Result<Snapshot> {
    let mut session = Session::default();
    let source = session.add_file(path)?;
    let file = source.and_then(|source| {
        let text = session.sources.text(source);
        syntax::parse_file(source, text, &mut session.diagnostics)
    });
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let problem = match (source, file) {
        (Some(source), Some(File::Domain(domain))) => {
            let facts = DomainFacts::new(&domain);
            for semantics in wanted(args, facts.semantics.clone()) {
                let options = sema::Options { semantics };
                sema::resolve_domain(&domain, &options, source, &mut session.diagnostics);
                rejected(printer, &mut session)?;
            }
            return Ok(Snapshot {
                source: name.into_owned(),
                states: None,
                body: text::domain(&facts) + &text::definitions(&facts.definitions),
            });
        }
        (Some(_), Some(File::Problem(problem))) => problem,
        _ => {
            rejected(printer, &mut session)?;
            return Err(Failure::malformed(
                path,
                "holds neither a domain nor a problem",
            ));
        }
    };
    rejected(printer, &mut session)?;
    let effort = effort(states, args.jobs);
    let control = Deadline::new(printer, None);
    let mut blocks = Vec::new();
    for semantics in wanted(
        args,
        declared(&mut session, path, &problem, args.domain.clone())?,
    ) {
        let domain = DomainArgs {
            domain: args.domain.clone(),
            semantics,
        };
        let derived = of_problem(printer, path, &domain, effort.as_ref(), &control)?;
        if control.over() {
            return Err(Failure::Stopped("all facts of the problem were found"));
        }
        blocks.push(text::problem(&derived.facts));
    }
    blocks.push(text::definitions(&problem_definitions(&problem)));
    Ok(Snapshot {
        source: name.into_owned(),
        states: Some(states),
        body: blocks.join("\n"),
    })
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

/// The semantics that were asked for, else all that are declared.
fn wanted(args: &SnapshotArgs, declared: Vec<String>) -> Vec<String> {
    if args.semantics.is_empty() {
        declared
    } else {
        args.semantics.clone()
    }
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
        semantics: String::new(),
    };
    let domain = session.domain(path, problem, &args)?;
    // Without a domain compiling says what is wrong.
    Ok(domain.map_or_else(
        || vec!["clean".to_owned()],
        |(_, domain)| DomainFacts::new(&domain).semantics,
    ))
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

/// A comparison with colours, which the printer leaves out where there are none.
pub(super) fn coloured(lines: &[(Line, String)]) -> String {
    let coloured = lines.iter().map(|(line, text)| {
        let colour = match line {
            Line::Removed => "31",
            Line::Added => "32",
            Line::Place => "36",
            Line::Kept => return format!("{text}\n"),
        };
        format!("\u{1b}[{colour}m{text}\u{1b}[0m\n")
    });
    coloured.collect()
}

/// How many there are of each kind, and what to do about them.
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
