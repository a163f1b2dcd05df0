//! `brigade export`: domain and problem files in other formats, and in the language.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::args::DomainArgs;
use super::exit::{Exit, Failure, Result};
use super::files;
use super::import::{ReadingArgs, TargetArgs};
use super::load::{Imported, Session};
use super::printer::Printer;
use crate::diagnostics::SourceId;
use crate::diagnostics::json::resolve_all;
use crate::import::json::looks_like_json;
use crate::import::robotouille::{self, export};
use crate::syntax::ast::Domain;
use crate::syntax::printer::{print_domain, print_problem};
use crate::{sema, syntax};

/// Arguments of `export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// A problem, an environment of Robotouille, or a domain alone; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    domain: DomainArgs,

    /// The format to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Target,

    #[command(flatten)]
    target: TargetArgs,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The language, formatted; comments are left out
    Pddl,
    /// The JSON of Robotouille
    Robotouille,
}

/// What a file holds.
enum Held {
    Domain(Box<Domain>, SourceId),
    Problem(Box<Imported>),
}

/// The texts of the two files; that of a problem is missing for a domain alone.
type Texts = (String, Option<String>);

/// Exports a file.
pub(super) fn run(printer: &Printer, args: &ExportArgs) -> Result {
    let mut session = Session::default();
    let texts = texts(&mut session, args);
    session.diagnostics.sort();
    printer.diagnostics(&session.diagnostics, &session.sources);
    let rejected = || Failure::Rejected(resolve_all(&session.diagnostics, &session.sources));
    let (domain, problem) = texts?.ok_or_else(rejected)?;
    args.target.write(printer, &domain, problem.as_deref())?;
    Ok(Exit::Done)
}

/// `None` if something is wrong with a file, or cannot be said in the format.
fn texts(session: &mut Session, args: &ExportArgs) -> Result<Option<Texts>> {
    let Some(held) = held(session, args)? else {
        return Ok(None);
    };
    let diagnostics = &mut session.diagnostics;
    let options = sema::Options {
        semantics: args.domain.semantics.to_lowercase(),
    };
    Ok(match held {
        Held::Domain(domain, source) => {
            if !sema::resolve_domain(&domain, &options, source, diagnostics) {
                return Ok(None);
            }
            match args.to {
                Target::Pddl => Some((print_domain(&domain), None)),
                Target::Robotouille => {
                    let text = export::export_domain(&domain, source, diagnostics);
                    text.map(|text| (text, None))
                }
            }
        }
        Held::Problem(held) => {
            let Imported {
                domain,
                problem,
                files,
            } = *held;
            if sema::resolve(&domain, &problem, &options, files, diagnostics).is_none() {
                return Ok(None);
            }
            match args.to {
                Target::Pddl => Some((print_domain(&domain), Some(print_problem(&problem)))),
                Target::Robotouille => export::export(&domain, &problem, files, diagnostics)
                    .map(|exported| (exported.domain, Some(exported.environment))),
            }
        }
    })
}

/// Reads the file, and the domain that goes with it. `None` if something is wrong.
fn held(session: &mut Session, args: &ExportArgs) -> Result<Option<Held>> {
    let Some(source) = session.add_file(&args.file)? else {
        return Ok(None);
    };
    let text = session.sources.text(source);
    if looks_like_json(text) {
        return held_in_json(session, source, args);
    }
    match syntax::parse_file(source, text, &mut session.diagnostics) {
        None => Ok(None),
        Some(syntax::File::Domain(domain)) => Ok(Some(Held::Domain(Box::new(domain), source))),
        Some(syntax::File::Problem(problem)) => {
            if session.diagnostics.has_errors() && problem.domain.is_none() {
                return Ok(None);
            }
            let found = session.domain(&args.file, &problem, &args.domain)?;
            Ok(found.map(|(domain_source, domain)| {
                Held::Problem(Box::new(Imported {
                    domain,
                    problem,
                    files: sema::Files {
                        domain: domain_source,
                        problem: source,
                    },
                }))
            }))
        }
    }
}

fn held_in_json(
    session: &mut Session,
    source: SourceId,
    args: &ExportArgs,
) -> Result<Option<Held>> {
    let text = session.sources.text(source);
    let options = args.reading.options();
    if robotouille::kind(text) == Some(robotouille::Kind::Domain) {
        let file = robotouille::File { source, text };
        let turns = options.turns.unwrap_or_default();
        let domain = robotouille::import_domain(file, turns, &mut session.diagnostics);
        return Ok(domain.map(|domain| Held::Domain(Box::new(domain), source)));
    }
    let domain: &Path = args.domain.domain.as_deref().ok_or_else(|| {
        Failure::usage(
            format!(
                "{}: an environment in JSON names no domain",
                args.file.display()
            ),
            "give the domain file of Robotouille with `--domain FILE`",
        )
    })?;
    let name = args.reading.name.clone();
    let name = name.unwrap_or_else(|| files::stem(&args.file));
    let imported = session.import(domain, source, &name, &options)?;
    Ok(imported.map(|imported| Held::Problem(Box::new(imported))))
}
