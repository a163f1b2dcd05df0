//! The files of the repository, and problems compiled from them and where it is quick solved.

use std::fs;
use std::path::{Path, PathBuf};

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::rats::References;
use brigade::rats::limits::Limits;
use brigade::search::{Outcome, SearchOptions, Unlimited, solve};
use brigade::sema::model::Model;
use brigade::sema::{Files, Options, resolve};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::PackedTask;

/// States of a search that is quick in any build.
const MOST_STATES: u64 = 100_000;

pub(crate) fn root() -> &'static Path {
    let mut above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above
        .find(|folder| folder.join("problems").is_dir())
        .unwrap()
}

pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files
}

pub(crate) fn stem(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

pub(crate) fn model(domain: &str, problem: &str, semantics: &str) -> Model {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain", domain),
        problem: sources.add("problem", problem),
    };
    let domain = parse_domain(files.domain, domain, &mut diagnostics);
    let problem = parse_problem(files.problem, problem, &mut diagnostics);
    let options = Options::default().with_semantics(semantics);
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
    assert_eq!(render_all(&diagnostics, &sources, Colour::Plain), "");
    model.unwrap()
}

/// The optimum of a task and the numbers of its plans and references, if they are quick to find.
pub(crate) fn optimum(task: &PackedTask) -> String {
    let options = SearchOptions::default()
        .with_all_plans(true)
        .with_max_states(MOST_STATES);
    let result = solve(task, &options, &Unlimited);
    let (Outcome::Solved(plan), Some(dag)) = (result.outcome, result.dag) else {
        return format!("not solved within {MOST_STATES} states");
    };
    let agents: Vec<String> = task.agents.iter().map(|agent| agent.name.clone()).collect();
    let references = References::derive(&dag, &agents, &task.labels, &Limits::default());
    format!(
        "makespan {}, labels {}, plans {}, references {}",
        plan.value.makespan,
        plan.value.labels,
        references.plans,
        references.total.exact().unwrap(),
    )
}
