//! `brigade export`: domain and problem files in other formats, and in the language.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use super::args::{DomainArgs, ProblemArgs};
use super::exit::{Exit, Failure, Result};
use super::files;
use super::load::{Imported, Session, note_bundled};
use super::paths;
use super::plannable;
use super::printer::Printer;
use super::reading::ReadingArgs;
use super::roles::problem_among;
use super::target::TargetArgs;
use crate::classical::{self, Classical};
use crate::diagnostics::json::resolve_all;
use crate::diagnostics::span::Span;
use crate::diagnostics::{Code, Diagnostic, Diagnostics, SourceId};
use crate::import::json::looks_like_json;
use crate::import::robotouille::{self, export};
use crate::syntax::ast::Domain;
use crate::syntax::printer::{print_domain, print_problem};
use crate::task::PackedTask;
use crate::{ground, sema, syntax};

/// Arguments of `export`.
#[derive(Debug, Args)]
pub(super) struct ExportArgs {
    /// A problem, an environment of Robotouille, or a domain alone; or domain and problem, in either
    /// order. `-` is standard input
    #[arg(value_name = "FILE", num_args = 1..=2, required = true, value_parser = paths::given())]
    files: Vec<PathBuf>,

    #[command(flatten)]
    domain: DomainArgs,

    /// The format to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Target,

    #[command(flatten)]
    pub(super) target: TargetArgs,

    #[command(flatten)]
    reading: ReadingArgs,
}

/// A format to write.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Target {
    /// The language, formatted; comments are left out
    Pddl,
    /// Plain PDDL without agents, time, numbers and parameters, for other planners
    Classical,
    /// The JSON of Robotouille
    Robotouille,
}

/// The content of a file.
enum Held {
    Domain(Box<Domain>, SourceId),
    Problem(Box<Imported>),
}

/// The texts of the two files; that of a problem is missing for a domain alone.
type Texts = (String, Option<String>);

/// A file that is sound.
enum Sound {
    Domain(Box<Domain>, SourceId),
    Problem(Box<Imported>),
    /// Also compiled.
    Compiled(Box<Imported>, Box<PackedTask>),
}

/// Exports a file.
pub(super) fn run(printer: &Printer, args: &ExportArgs) -> Result {
    let given = problem_among(&args.files, &args.domain)?;
    let mut session = Session::default();
    let sound = sound(&mut session, &given, args);
    let texts = match &sound {
        Ok(Some(sound)) => texts(sound, args.to, &mut session.diagnostics),
        _ => None,
    };
    note_bundled(printer, &session.files);
    session.diagnostics.sort();
    printer.diagnostics(&session.diagnostics, &session.sources);
    let diagnostics = || resolve_all(&session.diagnostics, &session.sources);
    if sound?.is_none() {
        return Err(Failure::Rejected(diagnostics()));
    }
    let (domain, problem) = texts.ok_or_else(|| Failure::Inexpressible(diagnostics()))?;
    args.target
        .write(printer, &session.files, &domain, problem.as_deref())?;
    Ok(Exit::Done)
}

/// `None` if something is wrong with a file.
fn sound(session: &mut Session, given: &ProblemArgs, args: &ExportArgs) -> Result<Option<Sound>> {
    let Some(held) = held(session, given, args)? else {
        return Ok(None);
    };
    let diagnostics = &mut session.diagnostics;
    let options = sema::Options::default().with_semantics(given.domain.semantics.to_lowercase());
    match held {
        Held::Domain(domain, source) => {
            if !sema::resolve_domain(&domain, &options, source, diagnostics) {
                return Ok(None);
            }
            if args.to == Target::Classical {
                let message = "a domain alone has no classical form";
                return Err(Failure::usage(
                    format!("{}: {message}", given.problem.display()),
                    "give a problem of it",
                ));
            }
            Ok(Some(Sound::Domain(domain, source)))
        }
        Held::Problem(held) => {
            let Imported {
                domain,
                problem,
                files,
            } = &*held;
            let Some(model) = sema::resolve(domain, problem, &options, *files, diagnostics) else {
                return Ok(None);
            };
            if args.to != Target::Classical {
                return Ok(Some(Sound::Problem(held)));
            }
            match ground::ground(&model, &ground::Options::default()) {
                Ok(task) => {
                    plannable::check(&task, "there is no classical form")?;
                    Ok(Some(Sound::Compiled(held, Box::new(task))))
                }
                Err(error) => {
                    diagnostics.extend(error.diagnostic());
                    Ok(None)
                }
            }
        }
    }
}

/// `None` if the format cannot say it.
fn texts(sound: &Sound, to: Target, diagnostics: &mut Diagnostics) -> Option<Texts> {
    match sound {
        Sound::Domain(domain, source) if to == Target::Robotouille => {
            let text = export::export_domain(domain, *source, diagnostics);
            text.map(|text| (text, None))
        }
        Sound::Domain(domain, _) => Some((print_domain(domain), None)),
        Sound::Problem(held) if to == Target::Robotouille => {
            export::export(&held.domain, &held.problem, held.files, diagnostics)
                .map(|exported| (exported.domain, Some(exported.environment)))
        }
        Sound::Problem(held) => {
            let problem = print_problem(&held.problem);
            Some((print_domain(&held.domain), Some(problem)))
        }
        Sound::Compiled(held, task) => classical(task, held, diagnostics),
    }
}

/// `None` if the task cannot be said without what is compiled away.
fn classical(task: &PackedTask, held: &Imported, diagnostics: &mut Diagnostics) -> Option<Texts> {
    let Imported {
        domain,
        problem,
        files,
    } = held;
    match classical::export(task, &classical::Limits::default()) {
        Ok(Classical {
            domain, problem, ..
        }) => Some((domain, Some(problem))),
        Err(reason) => {
            let schema = reason.schema().and_then(|name| schema(domain, name));
            let metric = problem.metric.as_ref().map(|metric| metric.span);
            let metric = metric.filter(|_| reason.is_about_the_metric());
            let name = problem.name.as_ref().map_or(problem.span, |name| name.span);
            let diagnostic = Diagnostic::new(Code::NotExpressible, reason.to_string());
            let diagnostic = match (metric, schema) {
                (Some(metric), Some(schema)) => diagnostic
                    .primary(files.problem, metric, "")
                    .secondary(files.domain, schema, "this action"),
                (None, Some(schema)) => diagnostic.primary(files.domain, schema, ""),
                (metric, None) => diagnostic.primary(files.problem, metric.unwrap_or(name), ""),
            };
            diagnostics.push(diagnostic.help(reason.advice()));
            None
        }
    }
}

/// Returns the place of the name of an action or event.
fn schema(domain: &Domain, name: &str) -> Option<Span> {
    let actions = domain.actions.iter().map(|action| &action.name);
    let mut names = actions.chain(domain.events.iter().map(|event| &event.name));
    let found = names.find(|known| known.text.eq_ignore_ascii_case(name));
    found.map(|known| known.span)
}

/// Reads the file, and the domain that goes with it. `None` if something is wrong.
fn held(session: &mut Session, given: &ProblemArgs, args: &ExportArgs) -> Result<Option<Held>> {
    let Some(source) = session.add_file(&given.problem)? else {
        return Ok(None);
    };
    let text = session.sources.text(source);
    if looks_like_json(text) {
        return held_in_json(session, source, given, args);
    }
    match syntax::parse_file(source, text, &mut session.diagnostics) {
        None => Ok(None),
        Some(syntax::File::Stream(_)) => Err(Failure::usage(
            format!("{}: a stream is no problem", given.problem.display()),
            "give the problem, and the stream after `--init`",
        )),
        Some(syntax::File::Domain(domain)) => Ok(Some(Held::Domain(Box::new(domain), source))),
        Some(syntax::File::Problem(problem)) => {
            if session.diagnostics.has_errors() && problem.domain.is_none() {
                return Ok(None);
            }
            let found = session.domain(&given.problem, &problem, &given.domain)?;
            let problem = session
                .with_streams(source, &problem, &given.domain)?
                .into_owned();
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
    given: &ProblemArgs,
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
    let domain: &Path = given.domain.domain.as_deref().ok_or_else(|| {
        Failure::usage(
            format!(
                "{}: an environment in JSON names no domain",
                given.problem.display()
            ),
            "give the domain file of Robotouille with `--domain FILE`",
        )
    })?;
    let name = args.reading.name.clone();
    let name = name.unwrap_or_else(|| files::stem(&given.problem));
    let imported = session.import(domain, source, &name, &options)?;
    Ok(imported.map(|imported| Held::Problem(Box::new(imported))))
}
