//! Tasks of a few lines, for the tests of searches for plans.

use crate::diagnostics::{Diagnostics, Sources};
use crate::ground::{self, ground};
use crate::sema::{Files, Options, resolve};
use crate::syntax::{parse_domain, parse_problem};
use crate::task::Task;

/// The task of a domain and a problem, with what does not matter to the goal.
pub(super) fn task(domain: &str, problem: &str) -> Task {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain.pddl", domain),
        problem: sources.add("problem.pddl", problem),
    };
    let domain = parse_domain(files.domain, domain, &mut diagnostics);
    let problem = parse_problem(files.problem, problem, &mut diagnostics);
    let options = Options {
        semantics: "clean".to_owned(),
    };
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics).unwrap();
    let options = ground::Options {
        keep_irrelevant: true,
        ..ground::Options::default()
    };
    ground(&model, &options).unwrap()
}
