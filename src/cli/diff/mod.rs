//! `brigade diff`: what changed between two versions of a domain or a problem.

mod versions;

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;
use indexmap::IndexSet;
use serde::Serialize;

use super::args::{DomainArgs, Format, threads};
use super::compared::compared;
use super::control::Deadline;
use super::exit::{Exit, Failure, Result};
use super::facts::{DEFAULT_STATES, effort, of_problem};
use super::load::Session;
use super::paths;
use super::printer::Printer;
use super::snapshot::{coloured, declared};
use crate::diagnostics::words::counted;
use crate::report::facts::{
    Change, Definition, Derived, DomainFacts, Effort, Facts, ReferenceChanges, changes, text,
};
use crate::syntax;
use versions::{Pair, Source, pairs};

/// References that are listed where nobody says how many.
const DEFAULT_LISTED: usize = 3;

/// Arguments of `diff`.
#[derive(Debug, Args)]
pub(super) struct DiffArgs {
    /// The first version: a domain file, a problem file, or a folder of them
    #[arg(value_name = "BEFORE", value_parser = paths::given())]
    before: PathBuf,

    /// The second version: what the first is
    #[arg(value_name = "AFTER", value_parser = paths::given())]
    after: PathBuf,

    /// A problem to compile with both domains; several if repeated
    #[arg(long, value_name = "FILE", value_parser = paths::given())]
    problem: Vec<PathBuf>,

    /// The domain file of both problems
    #[arg(long, short, value_name = "FILE", value_parser = paths::given())]
    domain: Option<PathBuf>,

    /// A semantics to compile under, several if repeated. Default: all that both versions declare
    #[arg(long, value_name = "NAME")]
    semantics: Vec<String>,

    /// States that each search may store; 0 searches nothing
    #[arg(long, value_name = "N", default_value_t = DEFAULT_STATES, allow_negative_numbers = true)]
    states: u64,

    /// List the first N references that were lost, and that were gained
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LISTED, allow_negative_numbers = true)]
    limit: usize,

    /// Search with this many threads; the answer does not depend on it. Default: as many as there are
    /// cores
    #[arg(long, value_name = "THREADS", value_parser = threads, allow_hyphen_values = true)]
    jobs: Option<NonZeroUsize>,

    /// Form of the output
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
}

/// What is compared of a problem.
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

#[derive(Debug, Serialize)]
struct Document {
    schema: u32,
    domains: Vec<DomainDiff>,
    problems: Vec<ProblemDiff>,
}

/// What changed in what a domain declares.
#[derive(Debug, Serialize)]
struct DomainDiff {
    file: String,
    changes: Vec<Change>,
    #[serde(skip)]
    text: String,
}

/// What changed in a problem under one semantics.
#[derive(Debug, Serialize)]
struct ProblemDiff {
    file: String,
    semantics: String,
    /// Why it was not compared; `null` where it was.
    failure: Option<String>,
    /// The exit code that it leads to.
    #[serde(skip)]
    failed: Option<Exit>,
    changes: Vec<Change>,
    /// `null` where the references of a version are not known.
    references: Option<ReferenceChanges>,
    #[serde(skip)]
    text: String,
}

impl ProblemDiff {
    fn differs(&self) -> bool {
        let references = self.references.as_ref();
        self.failure.is_some()
            || !self.changes.is_empty()
            || references.is_some_and(|references| !references.is_empty())
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

fn domain_diff(
    file: String,
    before: Option<&DomainFacts>,
    after: Option<&DomainFacts>,
) -> Result<DomainDiff> {
    let text = |facts: Option<&DomainFacts>| facts.map(text::domain).unwrap_or_default();
    let facts = coloured(&compared(&text(before), &text(after)));
    let definitions = match (before, after) {
        (Some(before), Some(after)) => redefined(&before.definitions, &after.definitions),
        _ => String::new(),
    };
    Ok(DomainDiff {
        file,
        changes: differences(&before, &after)?,
        text: definitions + &facts,
    })
}

/// The definitions that two versions do not share, each compared line by line.
fn redefined(before: &[Definition], after: &[Definition]) -> String {
    let find = |all: &[Definition], name: &str| {
        let found = all.iter().find(|definition| definition.name == name);
        found.map_or_else(String::new, |definition| definition.text.clone())
    };
    let names = before
        .iter()
        .chain(after)
        .map(|definition| &definition.name);
    let names: IndexSet<&String> = names.collect();
    let mut text = String::new();
    for name in names {
        let (old, new) = (find(before, name), find(after, name));
        if old != new {
            text.push_str(&format!("{name}\n{}", coloured(&compared(&old, &new))));
        }
    }
    text
}

fn differences(before: &impl Serialize, after: &impl Serialize) -> Result<Vec<Change>> {
    changes(before, after).map_err(|error| Failure::Internal(error.to_string()))
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

/// Whether all references were found, or there is no plan.
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
        semantics: semantics.to_owned(),
    };
    let derived = of_problem(printer, &source.problem, &domain, effort, &control)?;
    if control.over() {
        return Err(Failure::Stopped("the versions were compared"));
    }
    Ok(derived)
}

/// What changed, as text.
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
