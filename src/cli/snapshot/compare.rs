//! Comparing a file with its snapshot, and keeping what is accepted.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::args::SnapshotArgs;
use super::entry::{Entry, Status};
use super::places::place;
use crate::cli::args::{DomainArgs, Format};
use crate::cli::compared::compared;
use crate::cli::control::Deadline;
use crate::cli::exit::{Exit, Failure, Result};
use crate::cli::facts::{DEFAULT_STATES, declared, effort, of_problem, rejected};
use crate::cli::files;
use crate::cli::load::Session;
use crate::cli::paths::folder_of;
use crate::cli::printer::Printer;
use crate::report::facts::{DomainFacts, problem_definitions, text};
use crate::report::snapshot::Snapshot;
use crate::sema;
use crate::syntax::{self, File};

/// Compares one file with its snapshot, and writes what the arguments say.
pub(super) fn one(printer: &Printer, source: &Path, args: &SnapshotArgs) -> Result<(Entry, Exit)> {
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
pub(in crate::cli) fn accept(printer: &Printer, sources: &[PathBuf]) -> Result<()> {
    let args = SnapshotArgs {
        paths: sources.to_vec(),
        check: false,
        accept: true,
        domain: None,
        init: Vec::new(),
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
                let options = sema::Options::default().with_semantics(semantics);
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
            init: args.init.clone(),
            streams: Vec::new(),
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

/// The semantics that were asked for, else all that are declared.
fn wanted(args: &SnapshotArgs, declared: Vec<String>) -> Vec<String> {
    if args.semantics.is_empty() {
        declared
    } else {
        args.semantics.clone()
    }
}
