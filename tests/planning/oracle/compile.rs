//! From the text of a domain and a problem to a task.

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::ground::{self, ground};
use brigade::sema::model::Model;
use brigade::sema::{Files, Options, resolve};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::PackedTask;

/// Compiles a domain and a problem.
pub(crate) fn compile(domain: &str, problem: &str) -> PackedTask {
    let task = ground(&model(domain, problem), &ground::Options::default());
    task.unwrap_or_else(|error| panic!("{error}\n{domain}\n{problem}"))
}

/// Compiles a domain and a problem, with what no goal can need.
pub(crate) fn compile_all(domain: &str, problem: &str) -> PackedTask {
    let options = ground::Options::default().with_irrelevant_kept(true);
    let task = ground(&model(domain, problem), &options);
    task.unwrap_or_else(|error| panic!("{error}\n{domain}\n{problem}"))
}

/// The same; `None` where grounding refuses it, as with costs beyond 64 bits.
pub(crate) fn compile_all_if_accepted(domain: &str, problem: &str) -> Option<PackedTask> {
    let options = ground::Options::default().with_irrelevant_kept(true);
    ground(&model(domain, problem), &options).ok()
}

fn model(domain: &str, problem: &str) -> Model {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain.pddl", domain),
        problem: sources.add("problem.pddl", problem),
    };
    let parsed = (
        parse_domain(files.domain, domain, &mut diagnostics),
        parse_problem(files.problem, problem, &mut diagnostics),
    );
    let options = Options::default().with_semantics("clean");
    let model = resolve(&parsed.0, &parsed.1, &options, files, &mut diagnostics);
    model.unwrap_or_else(|| {
        let report = render_all(&diagnostics, &sources, Colour::Plain);
        panic!("{report}\n{domain}\n{problem}")
    })
}
