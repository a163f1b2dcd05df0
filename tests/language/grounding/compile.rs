//! From the text of a domain and a problem to a model and a task.

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::ground::{self, GroundError, ground};
use brigade::sema::model::Model;
use brigade::sema::{Files, Options, resolve};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::PackedTask;

/// Resolves two texts; the rendered diagnostics where they have an error.
pub(crate) fn try_resolve(domain: &str, problem: &str, semantics: &str) -> Result<Model, String> {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain.pddl", domain),
        problem: sources.add("problem.pddl", problem),
    };
    let options = Options::default().with_semantics(semantics);
    let domain = parse_domain(files.domain, domain, &mut diagnostics);
    let problem = parse_problem(files.problem, problem, &mut diagnostics);
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
    diagnostics.sort();
    model.ok_or_else(|| render_all(&diagnostics, &sources, Colour::Plain))
}

pub(crate) fn resolve_texts(domain: &str, problem: &str, semantics: &str) -> Model {
    try_resolve(domain, problem, semantics)
        .unwrap_or_else(|report| panic!("{report}\n{domain}\n{problem}"))
}

pub(crate) fn task(model: &Model) -> PackedTask {
    try_task(model).unwrap_or_else(|error| panic!("{}: {error}", model.problem))
}

pub(crate) fn try_task(model: &Model) -> Result<PackedTask, GroundError> {
    let options = ground::Options::default().with_irrelevant_kept(true);
    ground(model, &options)
}

/// A file that holds a domain and then a problem.
pub(crate) fn halves(text: &str) -> (&str, &str) {
    let at = text
        .find("(define (problem")
        .expect("a file holds a domain and a problem");
    text.split_at(at)
}
