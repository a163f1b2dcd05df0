//! From a path to a task: read, parse, resolve, ground, with what is wrong printed on the way.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::args::{DomainArgs, ProblemArgs};
use super::bundled;
use super::drawing;
use super::exit::{Failure, Result};
use super::files;
use super::finding::Domains;
use super::printer::Printer;
use crate::diagnostics::json::resolve_all;
use crate::diagnostics::{Code, Diagnostics, SourceId, Sources};
use crate::import::json::looks_like_json;
use crate::import::{overcooked, robotouille};
use crate::report::facts::ProblemSummary;
use crate::sema::model::Model;
use crate::syntax::ast::{Domain, Problem};
use crate::task::PackedTask;
use crate::view::layout::Layout;
use crate::{ground, lint, sema, syntax};

/// Compiling is not stopped within this time: a limit that is met while searching leaves bounds,
/// one that is met before leaves nothing.
const GRACE: Duration = Duration::from_secs(1);

/// Sources and what was found wrong with them.
#[derive(Debug, Default)]
pub(super) struct Session {
    pub(super) sources: Sources,
    pub(super) diagnostics: Diagnostics,
    /// The files that were read.
    pub(super) files: Vec<PathBuf>,
    /// The texts of the streams that were laid over problems.
    pub(super) streams: Vec<String>,
    /// The part of the resolved problem that is no plain PDDL.
    beyond_pddl: Option<String>,
}

/// Two files of another format as those of the language.
#[derive(Debug)]
pub(super) struct Imported {
    pub(super) domain: Domain,
    pub(super) problem: Problem,
    /// The sources that their spans point into.
    pub(super) files: sema::Files,
}

/// A sound problem that was checked.
#[derive(Debug)]
pub(super) struct Linted {
    /// The size of the problem.
    pub(super) summary: ProblemSummary,
    /// The checks that were left out.
    pub(super) skipped: Option<lint::Skipped>,
}

/// The purpose of a compiled task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Finding plans: what no goal can need is left out.
    Plan,
    /// Stepping any action.
    Play,
}

/// Seconds that each stage took.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(super) struct Seconds {
    #[serde(serialize_with = "in_microseconds")]
    pub(super) parse: f64,
    #[serde(serialize_with = "in_microseconds")]
    pub(super) ground: f64,
    #[serde(serialize_with = "in_microseconds")]
    pub(super) search: f64,
}

/// Seconds to six decimals.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde's serialize_with asks for"
)]
fn in_microseconds<S: serde::Serializer>(
    seconds: &f64,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    serializer.serialize_f64((seconds * 1e6).round() / 1e6)
}

/// A compiled problem.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) task: PackedTask,
    pub(super) seconds: Seconds,
    /// The files that it was read from.
    pub(super) files: Vec<PathBuf>,
    /// The texts of the streams among them.
    pub(super) streams: Vec<String>,
    /// The part of them that is no plain PDDL.
    pub(super) beyond_pddl: Option<String>,
    /// Where its things are drawn.
    pub(super) layout: Option<Layout>,
}

impl Session {
    /// Adds a file.
    pub(super) fn add_file(&mut self, path: &Path) -> Result<Option<SourceId>> {
        let bytes = files::read(path)?;
        self.files.push(path.to_owned());
        let name = files::shown(path);
        Ok(self.sources.add_bytes(name, bytes, &mut self.diagnostics))
    }

    /// Adds the domain file that goes with a problem. `None` if it holds no domain.
    pub(super) fn domain(
        &mut self,
        path: &Path,
        problem: &Problem,
        args: &DomainArgs,
    ) -> Result<Option<(SourceId, Domain)>> {
        let found: PathBuf;
        let domain = if let Some(domain) = &args.domain {
            domain
        } else {
            let name = problem.domain.as_ref().map(|name| name.text.as_str());
            found = Domains::default().find(path, name)?;
            &found
        };
        let source = self.add_file(domain)?;
        Ok(source.and_then(|source| {
            let text = self.sources.text(source);
            let domain = syntax::parse_domain(source, text, &mut self.diagnostics);
            // Beside no domain at all, everything in the problem would seem wrong.
            (domain != Domain::default()).then_some((source, domain))
        }))
    }

    /// Reads and resolves a problem. `None` if something is wrong with it or its domain.
    pub(super) fn model(&mut self, path: &Path, args: &DomainArgs) -> Result<Option<Model>> {
        let Some(source) = self.add_file(path)? else {
            return Ok(None);
        };
        let text = self.sources.text(source);
        if looks_like_json(text) {
            return self.imported_model(path, source, args);
        }
        let problem = syntax::parse_problem(source, text, &mut self.diagnostics);
        if self.diagnostics.has_errors() && problem.domain.is_none() {
            return Ok(None);
        }
        self.resolve(path, source, &problem, args)
    }

    /// Resolves a problem that was read.
    pub(super) fn resolve(
        &mut self,
        path: &Path,
        source: SourceId,
        problem: &Problem,
        args: &DomainArgs,
    ) -> Result<Option<Model>> {
        let Some((domain_source, domain)) = self.domain(path, problem, args)? else {
            return Ok(None);
        };
        let problem = &*self.with_streams(source, problem, args)?;
        let sources = sema::Files {
            domain: domain_source,
            problem: source,
        };
        let model = self.resolve_with(&domain, problem, sources, args);
        self.diagnostics.part(&self.sources);
        Ok(model)
    }

    /// Resolves a problem that was read and checks it for what is probably not meant. `None` if it or its
    /// domain is wrong.
    pub(super) fn lint(
        &mut self,
        path: &Path,
        source: SourceId,
        problem: &Problem,
        args: &DomainArgs,
    ) -> Result<Option<Linted>> {
        let Some((domain_source, domain)) = self.domain(path, problem, args)? else {
            return Ok(None);
        };
        let problem = &*self.with_streams(source, problem, args)?;
        let files = sema::Files {
            domain: domain_source,
            problem: source,
        };
        let model = self.resolve_with(&domain, problem, files, args);
        let linted = model.map(|model| {
            let diagnostics = &mut self.diagnostics;
            let result = lint::problem(&domain, problem, files, &model, &|| false, diagnostics);
            let operators = result.as_ref().ok().map(|reached| reached.operators);
            Linted {
                summary: ProblemSummary::new(&model, operators),
                skipped: result.err(),
            }
        });
        self.diagnostics.part(&self.sources);
        Ok(linted)
    }

    /// Takes out the warnings that the files silence, and sorts what is left. `checked` is the file
    /// that is checked for itself, with the warnings that this may give: one that it silences and that
    /// is not given is reported.
    pub(super) fn settle(&mut self, checked: Option<(SourceId, &dyn Fn(Code) -> bool)>) {
        let files: Vec<SourceId> = self.sources.iter().map(|(id, _)| id).collect();
        let mut found = Diagnostics::new();
        let allowances = lint::allow::read(&files, &self.sources, &mut found);
        if let Some((source, is_known)) = checked {
            // `check` alone reports the faults of a comment.
            self.diagnostics.extend(found.iter().cloned());
            lint::allow::apply(allowances, source, is_known, &mut self.diagnostics);
        } else if let Some(&first) = files.first() {
            lint::allow::apply(allowances, first, &|_| false, &mut self.diagnostics);
        }
        self.diagnostics.sort();
    }

    /// Resolves a problem with its domain.
    fn resolve_with(
        &mut self,
        domain: &Domain,
        problem: &Problem,
        files: sema::Files,
        args: &DomainArgs,
    ) -> Option<Model> {
        self.beyond_pddl = sema::beyond_pddl(domain, problem);
        let options = sema::Options::default().with_semantics(args.semantics.to_lowercase());
        sema::resolve(domain, problem, &options, files, &mut self.diagnostics)
    }

    /// Reads and resolves an environment of Robotouille.
    pub(super) fn imported_model(
        &mut self,
        path: &Path,
        source: SourceId,
        args: &DomainArgs,
    ) -> Result<Option<Model>> {
        if overcooked::looks_like_layout(self.sources.text(source)) {
            return Err(Failure::usage(
                format!(
                    "{}: is a layout of Overcooked-AI, not a problem",
                    path.display()
                ),
                format!(
                    "`brigade import overcooked {}` makes a problem of it",
                    path.display()
                ),
            ));
        }
        let Some(domain) = &args.domain else {
            return Err(Failure::usage(
                format!("{}: an environment in JSON names no domain", path.display()),
                "give the domain file of Robotouille with `--domain FILE`",
            ));
        };
        if !args.init.is_empty() {
            return Err(Failure::usage(
                format!(
                    "{}: no stream is laid over an environment in JSON",
                    path.display()
                ),
                "leave `--init` out, or import the environment with `brigade import` first",
            ));
        }
        let options = robotouille::Options::default();
        let name = files::stem(path);
        let imported = self.import(domain, source, &name, &options)?;
        Ok(imported.and_then(|imported| {
            let Imported {
                domain,
                problem,
                files,
            } = imported;
            self.resolve_with(&domain, &problem, files, args)
        }))
    }

    /// Reads a domain of Robotouille and an environment that was added. `None` if something is wrong
    /// with either.
    pub(super) fn import(
        &mut self,
        domain: &Path,
        environment: SourceId,
        name: &str,
        options: &robotouille::Options,
    ) -> Result<Option<Imported>> {
        let Some(source) = self.add_file(domain)? else {
            return Ok(None);
        };
        let file = |source: SourceId| robotouille::File {
            source,
            text: self.sources.text(source),
        };
        let diagnostics = &mut self.diagnostics;
        let read = robotouille::import(file(source), file(environment), name, options, diagnostics);
        Ok(read.map(|(domain, problem)| Imported {
            domain,
            problem,
            files: sema::Files {
                domain: source,
                problem: environment,
            },
        }))
    }
}

/// Notes that a problem's domain is part of the binary: it was looked for and is nowhere else.
pub(super) fn note_bundled(printer: &Printer, files: &[PathBuf]) {
    if let [problem, others @ ..] = files
        && !bundled::is_within(problem)
        && let Some(domain) = others.iter().find_map(|file| bundled::domain_at(file))
    {
        printer.note_once(&format!("the domain is the bundled `{}`", domain.name));
    }
}

/// Compiles a problem; what is wrong with it is printed. `stop` is asked whether to give up.
pub(super) fn load(
    printer: &Printer,
    args: &ProblemArgs,
    purpose: Purpose,
    stop: &dyn Fn() -> bool,
) -> Result<Loaded> {
    let start = Instant::now();
    let mut session = Session::default();
    let model = session.model(&args.problem, &args.domain);
    note_bundled(printer, &session.files);
    session.settle(None);
    printer.diagnostics(&session.diagnostics, &session.sources);
    let rejected = || Failure::Rejected(resolve_all(&session.diagnostics, &session.sources));
    let model = match model {
        Ok(model) => model.ok_or_else(rejected)?,
        // What is wrong with the input counts for more than that its domain is not found.
        Err(failure) if session.diagnostics.has_errors() => {
            printer.note(&failure.to_string());
            return Err(rejected());
        }
        Err(failure) => return Err(failure),
    };
    let parse = start.elapsed().as_secs_f64();
    let loaded = compile(printer, &session.sources, &model, parse, purpose, stop)?;
    let mut at_stake = Diagnostics::new();
    at_stake.extend(ground::nothing_at_stake(&model, &loaded.task));
    at_stake.part(&session.sources);
    printer.diagnostics(&at_stake, &session.sources);
    if purpose == Purpose::Plan && loaded.task.observation.is_partial {
        printer
            .note("not every agent observes all that changes; plans are made as if each knew it");
    }
    Ok(Loaded {
        files: session.files,
        streams: session.streams,
        beyond_pddl: session.beyond_pddl,
        ..loaded
    })
}

/// Grounds a model that took `parse` seconds to read.
pub(super) fn compile(
    printer: &Printer,
    sources: &Sources,
    model: &Model,
    parse: f64,
    purpose: Purpose,
    stop: &dyn Fn() -> bool,
) -> Result<Loaded> {
    let start = Instant::now();
    let options = ground::Options::default()
        .with_irrelevant_kept(purpose == Purpose::Play)
        .with_requirements(purpose == Purpose::Play);
    let stop = || start.elapsed() >= GRACE && stop();
    let task = ground::ground_until(model, &options, &stop).map_err(|error| {
        let Some(diagnostic) = error.diagnostic() else {
            return Failure::Stopped("the problem was compiled");
        };
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(diagnostic);
        diagnostics.part(sources);
        printer.diagnostics(&diagnostics, sources);
        Failure::Rejected(resolve_all(&diagnostics, sources))
    })?;
    Ok(Loaded {
        task,
        seconds: Seconds {
            parse,
            ground: start.elapsed().as_secs_f64(),
            search: 0.0,
        },
        files: Vec::new(),
        streams: Vec::new(),
        beyond_pddl: None,
        layout: drawing::layout(model),
    })
}
