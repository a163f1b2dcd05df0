//! Reads the environment that `generate robotouille` draws from: a bundled task, a problem, or an environment in JSON.
//!
//! Environments are drawn in JSON, which says by positions what lies where; so a problem is exported
//! first.

use std::path::Path;

use super::args::RobotouilleArgs;
use crate::cli::bundled::{Bundled, BundledDomain, ROBOTOUILLE, ROBOTOUILLE_IN_TURN};
use crate::cli::exit::{Failure, Result};
use crate::cli::files;
use crate::cli::finding::Domains;
use crate::cli::load::{Session, note_bundled};
use crate::cli::printer::Printer;
use crate::diagnostics::json::resolve_all;
use crate::diagnostics::{Diagnostics, SourceId, Sources, suggest};
use crate::import::json::looks_like_json;
use crate::import::robotouille::Turns;
use crate::import::robotouille::export::{Exported, export, export_domain, export_environment};
use crate::sema;
use crate::syntax::ast::{Domain, Problem};
use crate::syntax::{parse_domain, parse_problem};

/// A file and its text.
pub(super) struct Source {
    pub(super) name: String,
    pub(super) text: String,
}

/// The environment to draw from, in JSON.
pub(super) struct Base {
    /// The task's name.
    pub(super) name: String,
    pub(super) domain: Source,
    pub(super) environment: Source,
    /// The turn mode, where the domain says it.
    pub(super) turns: Option<Turns>,
    /// Environments of the same domain, whose stations and items may be added.
    pub(super) further: Vec<String>,
    /// True if the environment was given as JSON.
    pub(super) is_json: bool,
}

/// Finds the task.
pub(super) fn find(printer: &Printer, args: &RobotouilleArgs) -> Result<Base> {
    let mut session = Session::default();
    let base = base(&mut session, args);
    note_bundled(printer, &session.files);
    session.diagnostics.sort();
    printer.diagnostics(&session.diagnostics, &session.sources);
    base?.ok_or_else(|| Failure::Rejected(resolve_all(&session.diagnostics, &session.sources)))
}

/// `None` if something is wrong with a file, or it cannot be said in JSON.
fn base(session: &mut Session, args: &RobotouilleArgs) -> Result<Option<Base>> {
    let path = Path::new(&args.task);
    if !files::is_there(path) && !files::is_stdin(path) {
        let name = args.task.replace('/', "-");
        let task = tasks().find(|(_, problem)| problem.name() == name);
        let (domain, task) = task.ok_or_else(|| unknown(&args.task))?;
        let source = add(session, task);
        return problem(session, source, args, Some(domain.file));
    }
    let Some(source) = session.add_file(path)? else {
        return Ok(None);
    };
    if looks_like_json(session.sources.text(source)) {
        environment(session, source, args)
    } else {
        problem(session, source, args, None)
    }
}

fn add(session: &mut Session, file: Bundled) -> SourceId {
    session.sources.add(file.path, file.text)
}

/// A problem, and its domain if it is known.
fn problem(
    session: &mut Session,
    source: SourceId,
    args: &RobotouilleArgs,
    domain: Option<Bundled>,
) -> Result<Option<Base>> {
    let text = session.sources.text(source);
    let problem = parse_problem(source, text, &mut session.diagnostics);
    if session.diagnostics.has_errors() && problem.domain.is_none() {
        return Ok(None);
    }
    let domain_source = match (&args.domain, domain) {
        (Some(path), _) => session.add_file(path)?,
        (None, Some(domain)) => Some(add(session, domain)),
        (None, None) => {
            let name = problem.domain.as_ref().map(|name| name.text.as_str());
            session.add_file(&Domains::default().find(Path::new(&args.task), name)?)?
        }
    };
    let Some(domain_source) = domain_source else {
        return Ok(None);
    };
    let text = session.sources.text(domain_source);
    if looks_like_json(text) {
        let message = format!("{}: a problem, and its domain is JSON", args.task);
        let help = "give a domain of the language, or the environment that `export --to robotouille` \
                    makes of the problem";
        return Err(Failure::usage(message, help));
    }
    let domain = parse_domain(domain_source, text, &mut session.diagnostics);
    // Beside no domain at all, everything in the problem would seem wrong.
    if domain == Domain::default() {
        return Ok(None);
    }
    let files = sema::Files {
        domain: domain_source,
        problem: source,
    };
    let exported = exported(session, &domain, &problem, files, args);
    Ok(exported.map(|exported| {
        let further = if exported.domain == kitchen() {
            further()
        } else {
            Vec::new()
        };
        let own = problem.name.as_ref().map(|name| name.text.to_string());
        Base {
            name: own.unwrap_or_else(|| "task".to_owned()),
            domain: in_json(session, domain_source, exported.domain),
            environment: Source {
                name: name(session, source),
                text: exported.environment,
            },
            turns: Some(Turns::of(&domain)),
            further,
            is_json: false,
        }
    }))
}

/// A domain and a problem in JSON, if nothing is wrong with them.
fn exported(
    session: &mut Session,
    domain: &Domain,
    problem: &Problem,
    files: sema::Files,
    args: &RobotouilleArgs,
) -> Option<Exported> {
    let options = sema::Options::default().with_semantics(args.semantics.to_lowercase());
    let diagnostics = &mut session.diagnostics;
    sema::resolve(domain, problem, &options, files, diagnostics)?;
    export(domain, problem, files, diagnostics)
}

/// An environment in JSON.
fn environment(
    session: &mut Session,
    source: SourceId,
    args: &RobotouilleArgs,
) -> Result<Option<Base>> {
    let path = Path::new(&args.task);
    let domain_source = match &args.domain {
        Some(path) => session.add_file(path)?,
        None => Some(add(session, ROBOTOUILLE.file)),
    };
    let Some(domain_source) = domain_source else {
        return Ok(None);
    };
    let file = |source: SourceId| Source {
        name: name(session, source),
        text: session.sources.text(source).to_owned(),
    };
    let (environment, given) = (file(source), file(domain_source));
    let (domain, turns) = if looks_like_json(&given.text) {
        (given, None)
    } else {
        let diagnostics = &mut session.diagnostics;
        let domain = parse_domain(domain_source, &given.text, diagnostics);
        let options = sema::Options::default().with_semantics(args.semantics.to_lowercase());
        if !sema::resolve_domain(&domain, &options, domain_source, diagnostics) {
            return Ok(None);
        }
        let Some(text) = export_domain(&domain, domain_source, diagnostics) else {
            return Ok(None);
        };
        let turns = args.domain.as_ref().map(|_| Turns::of(&domain));
        (in_json(session, domain_source, text), turns)
    };
    let further = if args.domain.is_none() {
        further()
    } else {
        Vec::new()
    };
    Ok(Some(Base {
        name: if files::is_stdin(path) {
            "environment".to_owned()
        } else {
            files::stem(path)
        },
        domain,
        environment,
        turns,
        further,
        is_json: true,
    }))
}

fn name(session: &Session, source: SourceId) -> String {
    let source = session.sources.get(source);
    source.map_or_else(String::new, |source| source.name.clone())
}

/// Returns the source that a file became in JSON.
fn in_json(session: &Session, source: SourceId, text: String) -> Source {
    Source {
        name: format!("{} in JSON", name(session, source)),
        text,
    }
}

/// The bundled kitchen in JSON. The one with turns becomes the same.
fn kitchen() -> String {
    let mut sources = Sources::new();
    let Bundled { path, text } = ROBOTOUILLE.file;
    let source = sources.add(path, text);
    let mut diagnostics = Diagnostics::new();
    let domain = parse_domain(source, text, &mut diagnostics);
    export_domain(&domain, source, &mut diagnostics).unwrap_or_default()
}

/// The bundled tasks in JSON.
fn further() -> Vec<String> {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let tasks = tasks().filter_map(|(_, file)| {
        let source = sources.add(file.path, file.text);
        let problem = parse_problem(source, file.text, &mut diagnostics);
        export_environment(&problem, source, &mut diagnostics)
    });
    tasks.collect()
}

/// The bundled tasks, with their domains.
fn tasks() -> impl Iterator<Item = (BundledDomain, Bundled)> {
    let of = |domain: BundledDomain| domain.problems.iter().map(move |&file| (domain, file));
    of(ROBOTOUILLE).chain(of(ROBOTOUILLE_IN_TURN))
}

/// There is no such task.
fn unknown(task: &str) -> Failure {
    let names: Vec<String> = tasks()
        .map(|(_, task)| task.name().replacen('-', "/", 1))
        .collect();
    let near = suggest(task, names.iter().map(String::as_str));
    let help = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!(
            "the tasks are `{}` to `{}`, and their files are in `problems/robotouille` and \
             `problems/robotouille-in-turn`",
            names[0],
            names[names.len() - 1]
        ),
    };
    Failure::usage(format!("{task}: no such file, and no bundled task"), help)
}
