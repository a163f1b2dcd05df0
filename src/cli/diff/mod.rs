//! `brigade diff`: what changed between two versions of a domain or a problem.

mod args;
mod document;
mod versions;

use serde::Serialize;

pub(super) use args::DiffArgs;

use super::args::{DomainArgs, Format};
use super::compared::{coloured, compared};
use super::control::Deadline;
use super::exit::{Exit, Failure, Result};
use super::facts::{declared, effort, of_problem};
use super::load::Session;
use super::printer::Printer;
use crate::diagnostics::words::counted;
use crate::report::facts::{Definition, Derived, Effort, Facts, ReferenceChanges, text};
use crate::syntax;
use document::{Document, ProblemDiff, differences, redefined};
use versions::{Pair, Source, pairs};

/// The facts of a problem that are compared.
#[derive(Debug, Serialize)]
struct ProblemFacts<'a> {
    #[serde(flatten)]
    facts: &'a Facts,
    definitions: &'a [Definition],
}

impl<'a> ProblemFacts<'a> {
    /// `None` of a version that is missing.
    fn new(derived: Option<&'a Derived>, source: Option<&'a Source>) -> Option<Self> {
        Some(Self {
            facts: &derived?.facts,
            definitions: &source?.definitions,
        })
    }
}

/// Compares two versions. The exit code is [`Exit::Negative`] if they differ, and [`Exit::Limit`] if no
/// difference was found but not all is known; where a version is unsound, that of its failure.
pub(super) fn run(printer: &Printer, args: &DiffArgs) -> Result {
    let mut document = Document {
        schema: 1,
        domains: Vec::new(),
        problems: Vec::new(),
    };
    let pairs = pairs(printer, args, &mut document)?;
    let effort = effort(args.states, args.jobs);
    for pair in &pairs {
        for semantics in semantics(args, pair)? {
            let diff = compare(printer, args, pair, &semantics, effort.as_ref())?;
            document.problems.push(diff);
        }
    }
    match args.format {
        Format::Json => printer.json(&document)?,
        Format::Text => printer.text(&shown(args, &document))?,
    }
    let mut problems = document.problems.iter();
    let differs = document.domains.iter().any(|diff| !diff.changes.is_empty())
        || document.problems.iter().any(ProblemDiff::differs);
    let is_known = args.states == 0 || problems.all(|diff| diff.references.is_some());
    let mut failed = document.problems.iter().filter_map(|diff| diff.failed);
    if let Some(exit) = failed.next() {
        return Ok(failed.fold(exit, Exit::max));
    }
    Ok(match (differs, is_known) {
        (true, _) => Exit::Negative,
        (false, true) => Exit::Done,
        (false, false) => Exit::Limit,
    })
}

/// The semantics to compare under: those that were asked for, else all of both versions.
fn semantics(args: &DiffArgs, pair: &Pair<Source>) -> Result<Vec<String>> {
    if !args.semantics.is_empty() {
        return Ok(args.semantics.clone());
    }
    let mut names: Vec<String> = Vec::new();
    for source in [&pair.before, &pair.after].into_iter().flatten() {
        let mut session = Session::default();
        let Some(id) = session.add_file(&source.problem)? else {
            continue;
        };
        let text = session.sources.text(id);
        let problem = syntax::parse_problem(id, text, &mut session.diagnostics);
        let domain = source.domain.clone();
        for name in declared(&mut session, &source.problem, &problem, domain)? {
            if !names.contains(&name) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// Compares a problem under one semantics.
fn compare(
    printer: &Printer,
    args: &DiffArgs,
    pair: &Pair<Source>,
    semantics: &str,
    effort: Option<&Effort>,
) -> Result<ProblemDiff> {
    let mut diff = ProblemDiff {
        file: pair.name.clone(),
        semantics: semantics.to_owned(),
        failure: None,
        failed: None,
        changes: Vec::new(),
        references: None,
        text: String::new(),
    };
    let derive = |source: &Source| derived(printer, source, semantics, effort);
    let before = pair.before.as_ref().map(derive).transpose();
    let after = pair.after.as_ref().map(derive).transpose();
    let (before, after) = match (before, after) {
        (Ok(before), Ok(after)) => (before, after),
        (Err(failure), _) | (_, Err(failure)) => {
            if matches!(failure, Failure::Stopped(_) | Failure::InvalidPlan(_)) {
                return Err(failure);
            }
            if args.format == Format::Text {
                printer.failure(&failure);
            }
            diff.failure = Some(failure.to_string());
            diff.failed = Some(failure.exit());
            return Ok(diff);
        }
    };
    diff.changes = differences(
        &ProblemFacts::new(before.as_ref(), pair.before.as_ref()),
        &ProblemFacts::new(after.as_ref(), pair.after.as_ref()),
    )?;
    let text = |derived: &Option<Derived>| {
        let facts = derived.as_ref().map(|derived| &derived.facts);
        facts.map(text::problem).unwrap_or_default()
    };
    if let (Some(before), Some(after)) = (&pair.before, &pair.after) {
        diff.text = redefined(&before.definitions, &after.definitions);
    }
    diff.text += &coloured(&compared(&text(&before), &text(&after)));
    let versions = [&before, &after].map(Option::as_ref);
    if versions
        .into_iter()
        .all(|version| version.is_none_or(references_known))
    {
        let [before, after] = versions.map(|version| version?.found.as_ref());
        diff.references = ReferenceChanges::new(before, after, args.limit).ok();
    }
    Ok(diff)
}

/// Returns true if all references were found, or there is no plan.
fn references_known(derived: &Derived) -> bool {
    let solution = derived.facts.solution.as_ref();
    derived.found.is_some() || solution.is_some_and(|found| found.solvable == Some(false))
}

fn derived(
    printer: &Printer,
    source: &Source,
    semantics: &str,
    effort: Option<&Effort>,
) -> Result<Derived> {
    let control = Deadline::new(printer, None);
    let domain = DomainArgs {
        domain: source.domain.clone(),
        init: Vec::new(),
        streams: Vec::new(),
        semantics: semantics.to_owned(),
    };
    let derived = of_problem(printer, &source.problem, &domain, effort, &control)?;
    if control.over() {
        return Err(Failure::Stopped("the versions were compared"));
    }
    Ok(derived)
}

/// Renders the changes as text.
fn shown(args: &DiffArgs, document: &Document) -> String {
    let mut text = String::new();
    let mut same = 0;
    for diff in &document.domains {
        if diff.changes.is_empty() {
            same += 1;
        } else {
            text.push_str(&format!("domain {}\n{}\n", diff.file, diff.text));
        }
    }
    for diff in &document.problems {
        let head = format!("problem {}, semantics {}\n", diff.file, diff.semantics);
        let unknown = args.states > 0 && diff.failure.is_none() && diff.references.is_none();
        if !diff.differs() && !unknown {
            same += 1;
            continue;
        }
        text.push_str(&head);
        text.push_str(&diff.text);
        match (&diff.references, &diff.failure) {
            (_, Some(failure)) => text.push_str(&format!("not compared: {failure}\n")),
            (Some(references), _) => text.push_str(&references.text()),
            (None, _) if unknown => text.push_str(&format!(
                "references: not known within {}\n",
                counted(args.states, "state")
            )),
            (None, _) => {}
        }
        text.push('\n');
    }
    if same > 0 {
        text.push_str(&format!("{same} without a difference\n"));
    } else if text.ends_with("\n\n") {
        text.pop();
    }
    text
}
