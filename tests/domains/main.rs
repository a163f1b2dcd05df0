//! Every domain and problem of the repository, compiled and where it is quick solved: what an
//! author checks of a new one.

#![expect(clippy::unwrap_used, reason = "the helpers are tests too")]

mod differences;
mod facts;
mod never_sooner;
mod optima;
mod results;
#[path = "../common/split_mix.rs"]
mod split_mix;
mod traces;
mod words;

use std::fs;
use std::path::{Path, PathBuf};

use brigade::diagnostics::{Colour, Diagnostics, Sources, render_all};
use brigade::ground::ground;
use brigade::rats::References;
use brigade::rats::limits::Limits;
use brigade::search::{Outcome, SearchOptions, Unlimited, solve};
use brigade::sema::model::Model;
use brigade::sema::{Files, Options, resolve};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::Task;

/// States of a search that is quick in any build.
const MOST_STATES: u64 = 100_000;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files
}

fn stem(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap()
}

fn assert_snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/domains"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn model(domain: &str, problem: &str, semantics: &str) -> Model {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let files = Files {
        domain: sources.add("domain", domain),
        problem: sources.add("problem", problem),
    };
    let domain = parse_domain(files.domain, domain, &mut diagnostics);
    let problem = parse_problem(files.problem, problem, &mut diagnostics);
    let options = Options {
        semantics: semantics.to_owned(),
    };
    let model = resolve(&domain, &problem, &options, files, &mut diagnostics);
    assert_eq!(render_all(&diagnostics, &sources, Colour::Plain), "");
    model.unwrap()
}

/// The semantics that a domain declares; `clean` alone where it declares none.
fn semantics(domain: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let id = sources.add("domain", domain);
    let declared = parse_domain(id, domain, &mut diagnostics).semantics;
    let names: Vec<String> = declared.into_iter().map(|name| name.text.into()).collect();
    if names.is_empty() {
        vec!["clean".to_owned()]
    } else {
        names
    }
}

/// The optimum of a task and the numbers of its plans and references, if they are quick to find.
fn optimum(task: &Task) -> String {
    let options = SearchOptions {
        all: true,
        max_states: Some(MOST_STATES),
        ..SearchOptions::default()
    };
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

#[test]
fn every_problem_is_read_without_a_warning_under_every_semantics_of_its_domain() {
    for path in files(&root().join("domains")) {
        let domain = fs::read_to_string(&path).unwrap();
        for path in files(&root().join("problems").join(stem(&path))) {
            let problem = fs::read_to_string(&path).unwrap();
            for semantics in semantics(&domain) {
                let model = model(&domain, &problem, &semantics);
                assert_eq!(stem(&path), model.problem, "a problem is named as its file");
            }
        }
    }
}

/// The PDDL blocks of a page.
fn blocks(page: &str) -> Vec<&str> {
    let blocks = page.split("```lisp\n").skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

#[test]
fn the_recipes_of_the_guide_do_what_it_says() {
    let domain = fs::read_to_string(root().join("domains/collab-overcooked.pddl")).unwrap();
    let page = fs::read_to_string(root().join("docs/recipes.md")).unwrap();
    let problems = blocks(&page);
    let said: Vec<&str> = page
        .split("makespan ")
        .skip(1)
        .map(|rest| rest.split('.').next().unwrap())
        .collect();
    assert_eq!(problems.len(), said.len());
    for (problem, said) in problems.iter().zip(said) {
        for semantics in semantics(&domain) {
            let model = model(&domain, problem, &semantics);
            let task = ground(&model, &brigade::ground::Options::default()).unwrap();
            let found = optimum(&task);
            let expected = format!("makespan {said},");
            assert!(
                found.starts_with(&expected),
                "{}: {found}, not {said}",
                task.problem
            );
            assert!(page.contains(&format!("`{}.pddl`", task.problem)));
        }
    }
}
