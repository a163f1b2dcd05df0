//! The files of the repository: that they are what the front end makes of the published ones now, and
//! that the goals are the published ones when they become JSON again.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use brigade::diagnostics::{Diagnostics, Sources};
use brigade::import::robotouille::Options;
use brigade::import::robotouille::export::{export, export_environment};
use brigade::sema::Files;
use brigade::syntax::printer::{print_domain, print_problem};
use brigade::syntax::{parse_domain, parse_problem};
use serde_json::Value;

use super::kitchen::{Kitchen, folder, read};
use crate::conformance::kitchen::root;

/// The published sets of tasks, each with the bundled domain and the tasks that are bundled.
const SETS: [(&str, &str, usize); 3] = [
    ("synchronous", "robotouille", 10),
    ("asynchronous", "robotouille", 10),
    ("multi_agent", "robotouille-in-turn", 10),
];

#[test]
fn the_bundled_files_are_what_the_published_ones_become() {
    let Some(folder) = folder() else {
        return;
    };
    for (set, domain, tasks) in SETS {
        let mut files: Vec<String> = fs::read_dir(folder.join("environments").join(set))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        files.sort();
        // Further environments of the folder are no tasks of the benchmark.
        let is_task = |file: &String| {
            let number = file.split('_').next().unwrap();
            number.bytes().all(|byte| byte.is_ascii_digit())
        };
        files.retain(is_task);
        assert_eq!(files.len(), tasks);
        for file in files {
            let environment = read(&format!("environments/{set}/{file}"));
            let name = format!("{set}-{}", file.trim_end_matches(".json"));
            let kitchen = Kitchen::import(&name, &environment, &Options::default());
            // What is silenced in the bundled files is no part of the published ones.
            let bundled = |path: String| -> String {
                let text = fs::read_to_string(root().join(path)).unwrap();
                let lines = text.lines().filter(|line| !line.starts_with("; brigade: "));
                lines.map(|line| format!("{line}\n")).collect()
            };
            let problem = print_problem(&kitchen.problem);
            assert_eq!(problem, bundled(format!("problems/{domain}/{name}.pddl")));
            let found = print_domain(&kitchen.domain);
            assert_eq!(found, bundled(format!("domains/{domain}.pddl")));
        }
    }
}

/// The problems of the repository, by name: the environment that each becomes.
fn exported() -> BTreeMap<String, String> {
    let own = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let mut environments = BTreeMap::new();
    for (_, folder, _) in SETS.into_iter().skip(1) {
        for entry in fs::read_dir(root().join("problems").join(folder)).unwrap() {
            let file = entry.unwrap().file_name().into_string().unwrap();
            let texts = [
                own(&format!("domains/{folder}.pddl")),
                own(&format!("problems/{folder}/{file}")),
            ];
            let mut sources = Sources::new();
            let mut diagnostics = Diagnostics::new();
            let files = Files {
                domain: sources.add("domain", texts[0].clone()),
                problem: sources.add("problem", texts[1].clone()),
            };
            let domain = parse_domain(files.domain, &texts[0], &mut diagnostics);
            let problem = parse_problem(files.problem, &texts[1], &mut diagnostics);
            let exported = export(&domain, &problem, files, &mut diagnostics).unwrap();
            let alone = export_environment(&problem, files.problem, &mut diagnostics);
            assert_eq!(alone.as_ref(), Some(&exported.environment), "{file}");
            let name = file.strip_suffix(".pddl").unwrap().to_owned();
            environments.insert(name, exported.environment);
        }
    }
    assert_eq!(environments.len(), 30);
    environments
}

/// A goal's predicates with their arguments and ids; an id that is the only one of its argument is left
/// out, since which number it is means nothing.
fn goal(environment: &str) -> BTreeSet<String> {
    let environment: Value = serde_json::from_str(environment).unwrap();
    let literals = environment["goal"].as_array().unwrap();
    let arguments = |literal: &Value| -> Vec<(String, u64)> {
        let list = |key: &str| literal[key].as_array().unwrap().clone();
        let pairs = list("args").into_iter().zip(list("ids"));
        // All ids are numbers, so nothing in a goal is bound to one object.
        let pairs = pairs.map(|(arg, id)| (arg.as_str().unwrap().to_owned(), id.as_u64().unwrap()));
        pairs.collect()
    };
    let mut ids: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    for (arg, id) in literals.iter().flat_map(arguments) {
        ids.entry(arg).or_default().insert(id);
    }
    let said = literals.iter().map(|literal| {
        let arguments = arguments(literal).into_iter();
        let arguments: Vec<String> = arguments
            .map(|(arg, id)| match ids[&arg].len() {
                1 => arg,
                _ => format!("{arg} {id}"),
            })
            .collect();
        format!("{} {arguments:?}", literal["predicate"])
    });
    said.collect()
}

#[test]
fn the_environments_that_are_drawn_from_have_general_goals() {
    for environment in exported().values() {
        assert!(!goal(environment).is_empty());
    }
}

#[test]
fn the_goals_that_are_exported_are_the_published_ones() {
    if folder().is_none() {
        return;
    }
    for (name, environment) in exported() {
        // It has one number for two names.
        if name == "synchronous-1_lettuce_sandwich" {
            continue;
        }
        let (set, task) = name.split_once('-').unwrap();
        let published = read(&format!("environments/{set}/{task}.json"));
        assert_eq!(goal(&environment), goal(&published), "{name}");
    }
}
