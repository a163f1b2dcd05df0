//! `brigade import overcooked`: layouts as problems of the bundled domain.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use crate::cli::args::Format;
use crate::cli::bundled::OVERCOOKED_AI;
use crate::cli::exit::{Exit, Failure, Result};
use crate::cli::files;
use crate::cli::load::Session;
use crate::cli::paths;
use crate::cli::printer::Printer;
use crate::diagnostics::SourceId;
use crate::diagnostics::json::resolve_all;
use crate::import::overcooked::{File, Imported, MAX_DELIVERIES, Options, import};
use crate::sema;
use crate::syntax::ast::Domain;
use crate::syntax::parse_domain;

/// Arguments of `import overcooked`.
#[derive(Debug, Args)]
pub(super) struct OvercookedArgs {
    /// Files of one layout, as published, or of several by their names; `-` is standard input
    #[arg(required = true, value_name = "FILE", value_parser = paths::given())]
    layouts: Vec<PathBuf>,

    /// A layout to read, several if repeated. Default: all of each file
    #[arg(long, value_name = "NAME")]
    layout: Vec<String>,

    /// End the episode after this many ticks. Default: 400, without `--deliver`
    #[arg(long, value_name = "TICKS", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    horizon: Option<u32>,

    /// Make it the goal to deliver this many soups that are ordered. Default: to earn as much as can be
    #[arg(
        long,
        value_name = "NUMBER",
        value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DELIVERIES))
    )]
    deliver: Option<u32>,

    /// Leave players out: only this many, the first of them, take part. Default: all of the layout
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u32).range(1..=9))]
    players: Option<u32>,

    /// Write each problem to a file of its name in this folder. Default: all to standard output
    #[arg(long, value_name = "DIR", value_parser = paths::given())]
    out: Option<PathBuf>,

    /// Overwrite files that are there
    #[arg(long, requires = "out")]
    force: bool,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

#[derive(Debug, Serialize)]
struct Document<'a> {
    schema: u32,
    problems: &'a [Problem],
    /// The files that were written.
    written: Vec<String>,
}

/// A problem that a layout has become.
#[derive(Debug, Serialize)]
struct Problem {
    name: String,
    problem: String,
}

/// Imports layouts.
pub(super) fn run(printer: &Printer, args: &OvercookedArgs) -> Result {
    let mut session = Session::default();
    let problems = problems(&mut session, args);
    session.diagnostics.sort();
    printer.diagnostics(&session.diagnostics, &session.sources);
    let problems = problems?;
    if session.diagnostics.has_errors() {
        return Err(Failure::Rejected(resolve_all(
            &session.diagnostics,
            &session.sources,
        )));
    }
    let written = match &args.out {
        Some(folder) => write(folder, &problems, &session.files, args.force)?,
        None => Vec::new(),
    };
    if args.format == Format::Json {
        printer.json(&Document {
            schema: 1,
            problems: &problems,
            written,
        })?;
    } else if args.out.is_some() {
        files::note_written(printer, &written);
    } else {
        let texts: Vec<&str> = problems.iter().map(|it| it.problem.as_str()).collect();
        printer.text(&texts.join("\n"))?;
    }
    Ok(Exit::Done)
}

/// Reads the files and checks what becomes of them. Faults are in the session.
fn problems(session: &mut Session, args: &OvercookedArgs) -> Result<Vec<Problem>> {
    let options = Options {
        layouts: args.layout.clone(),
        horizon: args.horizon,
        deliver: args.deliver,
        players: args.players,
    };
    let text = OVERCOOKED_AI.file.text;
    let place = files::shown(&OVERCOOKED_AI.place());
    let source = session.sources.add(place, text);
    let domain = parse_domain(source, text, &mut session.diagnostics);
    let mut problems = Vec::new();
    for path in &args.layouts {
        let Some(layouts) = session.add_file(path)? else {
            continue;
        };
        let file = File {
            source: layouts,
            text: session.sources.text(layouts),
            name: &files::stem(path),
        };
        for imported in import(file, &options, &mut session.diagnostics) {
            check(session, &domain, source, &imported, layouts);
            problems.push(Problem {
                problem: imported.text(),
                name: imported.name,
            });
        }
    }
    Ok(problems)
}

/// Resolves a problem with the domain; what is wrong points into its layout.
fn check(
    session: &mut Session,
    domain: &Domain,
    source: SourceId,
    imported: &Imported,
    layout: SourceId,
) {
    let files = sema::Files {
        domain: source,
        problem: layout,
    };
    let options = sema::Options::default();
    let diagnostics = &mut session.diagnostics;
    sema::resolve(domain, &imported.problem, &options, files, diagnostics);
}

/// Writes each problem to its file; not over one of those that were read.
fn write(
    folder: &Path,
    problems: &[Problem],
    read: &[PathBuf],
    force: bool,
) -> Result<Vec<String>> {
    let mut names = BTreeSet::new();
    let path = |problem: &Problem| folder.join(format!("{}.pddl", problem.name));
    for problem in problems {
        if !names.insert(problem.name.to_lowercase()) {
            let message = format!("two layouts become a problem `{}`", problem.name);
            return Err(Failure::usage(message, "import them one after another"));
        }
        if let Some(file) = read
            .iter()
            .find(|file| files::same_file(file, &path(problem)))
        {
            let message = format!("{}: this would overwrite what was read", file.display());
            return Err(Failure::usage(message, "choose another folder"));
        }
    }
    let paths: Vec<PathBuf> = problems.iter().map(path).collect();
    files::check_new(paths.iter().map(PathBuf::as_path), force)?;
    std::fs::create_dir_all(folder).map_err(|error| Failure::unwritable(folder, &error))?;
    let mut written = Vec::new();
    for (problem, path) in problems.iter().zip(paths) {
        files::write(&path, &problem.problem)?;
        written.push(path.display().to_string());
    }
    Ok(written)
}
