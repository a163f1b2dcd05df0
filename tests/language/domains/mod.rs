//! Every domain and problem of the repository, compiled and where it is quick solved: what an
//! author checks of a new one.

use crate::common::compiled;
mod cookmas;
mod differences;
mod facts;
mod words;

use std::fs;

use brigade::diagnostics::{Diagnostics, Sources};
use brigade::ground::ground;
use brigade::syntax::printer::{print_domain, print_problem};
use brigade::syntax::{parse_domain, parse_problem};
use brigade::task::json::fingerprint;

use compiled::{files, model, optimum, root, stem};

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
    let page = fs::read_to_string(root().join("docs/how-to/recipes.md")).unwrap();
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

/// A domain and a problem without their layouts, if they have any.
fn undrawn(domain: &str, problem: &str) -> Option<(String, String)> {
    let mut sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let ids = [
        sources.add("domain", domain),
        sources.add("problem", problem),
    ];
    let mut domain = parse_domain(ids[0], domain, &mut diagnostics);
    let mut problem = parse_problem(ids[1], problem, &mut diagnostics);
    if domain.layout.is_empty() && problem.layout.is_empty() {
        return None;
    }
    domain.layout.clear();
    problem.layout.clear();
    Some((print_domain(&domain), print_problem(&problem)))
}

#[test]
fn a_layout_changes_no_task() {
    let mut drawn = 0;
    for path in files(&root().join("domains")) {
        let domain = fs::read_to_string(&path).unwrap();
        let problems = files(&root().join("problems").join(stem(&path)));
        let Some(path) = problems.first() else {
            continue;
        };
        let problem = fs::read_to_string(path).unwrap();
        let Some((bare_domain, bare_problem)) = undrawn(&domain, &problem) else {
            continue;
        };
        let task = |domain: &str, problem: &str| {
            let model = model(domain, problem, "clean");
            let task = ground(&model, &brigade::ground::Options::default()).unwrap();
            fingerprint(&task)
        };
        assert_eq!(task(&domain, &problem), task(&bare_domain, &bare_problem));
        drawn += 1;
    }
    assert!(drawn > 3, "{drawn}");
}
