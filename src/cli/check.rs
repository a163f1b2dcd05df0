//! `brigade check`: everything that is wrong with some files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::args::DomainArgs;
use super::control::interrupted;
use super::exit::{Exit, Failure, Result};
use super::facts::{self, FactsArgs, FileFacts};
use super::files;
use super::given::Given;
use super::in_order::in_order;
use super::load::{Linted, Session, note_bundled};
use super::paths;
use super::printer::Printer;
use crate::diagnostics::json::{JsonDiagnostic, resolve_all};
use crate::diagnostics::words::counted;
use crate::diagnostics::{Code, Severity, SourceId, sarif};
use crate::import::json::{self, looks_like_json};
use crate::import::robotouille;
use crate::report::facts::{DomainSummary, ProblemSummary};
use crate::{lint, sema, syntax};

/// Arguments of `check`.
#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Domain and problem files, in any order, and folders of them; `-` is standard input
    #[arg(required = true, value_name = "FILE", value_parser = paths::given())]
    files: Vec<PathBuf>,

    /// Check each file for itself: its syntax, not its names
    #[arg(long)]
    syntax_only: bool,

    /// Let a warning fail the check, as continuous integration wants it: the exit code is 1
    #[arg(long)]
    deny_warnings: bool,

    #[command(flatten)]
    domain: DomainArgs,

    #[command(flatten)]
    facts: FactsArgs,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Form,
}

/// Form of what is found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    /// For people
    #[default]
    Text,
    /// One JSON document
    Json,
    /// One SARIF 2.1.0 log, for code hosts
    Sarif,
}

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    errors: usize,
    warnings: usize,
    /// Files that could not be checked.
    failures: usize,
    files: Vec<FileReport>,
}

#[derive(Debug, Serialize)]
struct FileReport {
    file: String,
    /// `domain`, `problem`, `stream`; `null` where the file is neither.
    kind: Option<&'static str>,
    ok: bool,
    /// The reason why the file could not be checked; `null` where it was.
    failure: Option<String>,
    /// The reason why checks were left out; `null` where all were made.
    skipped: Option<String>,
    diagnostics: Vec<JsonDiagnostic>,
    /// The size of the file, if nothing is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<Summary>,
    /// Its facts, if they were asked for and nothing is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    facts: Option<FileFacts>,
}

/// The content of a file, in numbers.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Summary {
    Domain(DomainSummary),
    Problem(ProblemSummary),
}

impl Summary {
    fn line(&self) -> String {
        match self {
            Self::Domain(summary) => summary.line(),
            Self::Problem(summary) => summary.line(),
        }
    }
}

/// The results of checking a file beside its diagnostics.
#[derive(Debug, Default)]
struct Checked {
    /// `domain`, `problem`, `stream`; `None` where it is neither.
    kind: Option<&'static str>,
    /// The checks that were left out.
    skipped: Option<lint::Skipped>,
    /// The content of the file in numbers, if nothing is wrong with it and its names were checked.
    summary: Option<Summary>,
    /// The domain file that a problem was checked with, if none was given for all.
    domain: Option<PathBuf>,
}

impl Checked {
    const fn of(kind: &'static str) -> Self {
        Self {
            kind: Some(kind),
            skipped: None,
            summary: None,
            domain: None,
        }
    }
}

/// Checks files. The exit code is [`Exit::Negative`] if an error was found in any, or a warning that is
/// denied.
pub(super) fn run(printer: &Printer, args: &CheckArgs) -> Result {
    let mut worst = Exit::Done;
    let mut document = Document {
        schema: 1,
        errors: 0,
        warnings: 0,
        failures: 0,
        files: Vec::new(),
    };
    // Problems of one domain would repeat what is wrong with it.
    let mut said: BTreeSet<String> = BTreeSet::new();
    let mut of_domains: BTreeSet<String> = BTreeSet::new();
    let mut log = sarif::Builder::default();
    let paths = files::expanded(&args.files);
    let given = Given::among(&paths);
    let mut domains = Vec::new();
    let work = |path: &PathBuf| {
        let mut session = Session::default();
        let checked = check(&mut session, path, args, &given);
        settle(&mut session, checked.as_ref().ok(), args);
        let is_domain = checked.as_ref().is_ok_and(|it| it.kind == Some("domain"));
        if is_domain && !args.syntax_only && given.is_used(path) {
            session
                .diagnostics
                .retain(|it| !is_reported_of_problems(it.code));
        }
        (session, checked)
    };
    in_order(&paths, work, |path, (session, checked)| {
        note_bundled(printer, &session.files);
        let diagnostics = resolve_all(&session.diagnostics, &session.sources);
        let mut news = session.diagnostics.clone();
        let mut each = diagnostics.iter();
        let is_domain = checked.as_ref().is_ok_and(|it| it.kind == Some("domain"));
        news.retain(|diagnostic| {
            // What the domain lacks is its mistake, also where a problem uses it.
            let mistake = format!("{} {}", diagnostic.code, diagnostic.message);
            let is_one = diagnostic.code.is_one_mistake();
            let is_known = if is_one && is_domain {
                of_domains.insert(mistake);
                false
            } else {
                is_one && of_domains.contains(&mistake)
            };
            let resolved = each.next().map(|resolved| format!("{resolved:?}"));
            !is_known && resolved.is_none_or(|resolved| said.insert(resolved))
        });
        if args.format == Form::Sarif {
            for diagnostic in &news {
                log.add(diagnostic, &session.sources);
            }
        }
        let errors = news.error_count();
        document.errors += errors;
        let warnings = news.iter().filter(|it| it.severity == Severity::Warning);
        document.warnings += warnings.count();
        if args.format == Form::Text {
            printer.diagnostics(&news, &session.sources);
        }
        // A file that cannot be checked does not keep the others from it.
        let failure = checked.as_ref().err();
        if let Some(failure) = failure {
            document.failures += 1;
            log.fail(failure.to_string());
            worst = worst.max(failure.exit().of_check());
            if args.format == Form::Text {
                printer.failure(failure);
            }
        }
        let failure = failure.map(ToString::to_string);
        let Checked {
            kind,
            skipped,
            summary,
            domain,
        } = checked.unwrap_or_default();
        domains.push(args.domain.or(domain));
        let skipped = skipped.map(|skipped| skipped.reason);
        if let (Some(reason), Form::Text) = (&skipped, args.format) {
            printer.note(&format!("{}: {reason}", files::shown(path)));
        }
        document.files.push(FileReport {
            file: files::shown(path),
            ok: failure.is_none() && !session.diagnostics.has_errors(),
            failure,
            skipped,
            kind,
            diagnostics,
            summary,
            facts: None,
        });
    });
    let is_problem = |report: &FileReport| report.kind != Some("domain");
    if args.domain.domain.is_some() && !document.files.iter().any(is_problem) {
        return Err(Failure::usage(
            "`--domain` is for problems, and there is none among the files",
            "leave it out: a domain file is checked for itself",
        ));
    }
    if args.facts.facts {
        for ((report, path), domain) in document.files.iter_mut().zip(&paths).zip(&domains) {
            if report.ok {
                report.facts = facts::of_file(printer, path, domain, &args.facts)?;
            }
        }
        if interrupted() {
            worst = worst.max(Exit::Limit);
        }
    }
    let is_denied = args.deny_warnings && document.warnings > 0;
    match args.format {
        Form::Json => printer.json(&document)?,
        Form::Sarif => printer.json(&log.build())?,
        Form::Text => {
            for report in document.files.iter().filter(|report| report.ok) {
                let kind = report.kind.unwrap_or("file");
                // All facts say what their summary does.
                let summary = report.summary.as_ref();
                let summary = summary.filter(|_| report.facts.is_none() && !printer.is_quiet());
                let summary = summary.map_or_else(String::new, |it| format!(": {}", it.line()));
                printer.text(&format!("{}: {kind} ok{summary}\n", report.file))?;
                if let Some(facts) = &report.facts {
                    printer.text(&facts.text())?;
                }
            }
            if document.errors + document.warnings > 0 {
                let denied = if is_denied {
                    ", and no warning is allowed"
                } else {
                    ""
                };
                printer.note(&format!(
                    "{}, {}{denied}",
                    counted(document.errors, "error"),
                    counted(document.warnings, "warning")
                ));
            }
        }
    }
    Ok(if document.errors == 0 && !is_denied {
        worst
    } else {
        worst.max(Exit::Negative)
    })
}

/// Returns true if a warning of a domain may be an error with one of its problems, and is reported there.
const fn is_reported_of_problems(code: Code) -> bool {
    matches!(
        code,
        Code::ImplicitType | Code::NamedAsType | Code::RedeclaredObject | Code::RepeatedParameter
    )
}

/// Takes out what the files silence. A silenced warning that is not given is reported where it would
/// have been.
fn settle(session: &mut Session, checked: Option<&Checked>, args: &CheckArgs) {
    let is_problem = checked.is_some_and(|checked| checked.kind == Some("problem"));
    let is_whole = checked.is_some_and(|checked| checked.skipped.is_none()) && !args.syntax_only;
    let is_known = |code| is_whole && (is_problem || lint::is_of_domain(code));
    let source = session.sources.iter().next().map(|(id, _)| id);
    session.settle(source.map(|source| (source, &is_known as &dyn Fn(_) -> bool)));
}

/// Checks one file, and says what it holds.
fn check(session: &mut Session, path: &Path, args: &CheckArgs, given: &Given) -> Result<Checked> {
    let Some(source) = session.add_file(path)? else {
        return Ok(Checked::default());
    };
    let text = session.sources.text(source);
    if looks_like_json(text) {
        return check_json(session, path, source, args, given);
    }
    match syntax::parse_file(source, text, &mut session.diagnostics) {
        None => Ok(Checked::default()),
        Some(syntax::File::Domain(domain)) => {
            let mut checked = Checked::of("domain");
            if !args.syntax_only {
                let options =
                    sema::Options::default().with_semantics(args.domain.semantics.to_lowercase());
                let diagnostics = &mut session.diagnostics;
                if sema::resolve_domain(&domain, &options, source, diagnostics) {
                    lint::domain(&domain, source, diagnostics);
                    given.report_unread(path, &domain, source, diagnostics);
                    checked.summary = Some(Summary::Domain(DomainSummary::new(&domain)));
                }
            }
            Ok(checked)
        }
        Some(syntax::File::Problem(problem)) => {
            // Without the name of its domain, which the reader reports, there is no domain to find.
            let has_domain = problem.domain.is_some() || args.domain.domain.is_some();
            let mut checked = Checked::of("problem");
            if !args.syntax_only && (has_domain || !session.diagnostics.has_errors()) {
                let name = problem.domain.as_ref().map(|name| name.text.as_str());
                checked.domain = match args.domain.domain {
                    Some(_) => None,
                    None => Some(given.domain_of(path, name)?),
                };
                let domain = args.domain.or(checked.domain.clone());
                let linted = session.lint(path, source, &problem, &domain)?;
                if let Some(Linted { summary, skipped }) = linted {
                    checked.summary = Some(Summary::Problem(summary));
                    checked.skipped = skipped;
                }
            }
            Ok(checked)
        }
        // Its names are those of the problem that it is laid over, with which it is checked.
        Some(syntax::File::Stream(_)) => Ok(Checked::of("stream")),
    }
}

/// Checks a file of Robotouille, and says what it holds.
fn check_json(
    session: &mut Session,
    path: &Path,
    source: SourceId,
    args: &CheckArgs,
    given: &Given,
) -> Result<Checked> {
    let text = session.sources.text(source);
    if robotouille::kind(text) == Some(robotouille::Kind::Domain) {
        let file = robotouille::File { source, text };
        let turns = robotouille::Turns::default();
        let domain = robotouille::import_domain(file, turns, &mut session.diagnostics);
        if let Some(domain) = domain.filter(|_| !args.syntax_only) {
            let options =
                sema::Options::default().with_semantics(args.domain.semantics.to_lowercase());
            sema::resolve_domain(&domain, &options, source, &mut session.diagnostics);
        }
        return Ok(Checked::of("domain"));
    }
    if args.syntax_only {
        json::parse(source, text, &mut session.diagnostics);
    } else {
        let beside = given.domain_in_json().map(Path::to_owned);
        session.imported_model(path, source, &args.domain.or(beside))?;
    }
    Ok(Checked::of("problem"))
}
