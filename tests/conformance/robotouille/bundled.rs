//! The files of the repository: that its environments are the published ones, and that its problems are
//! what the front end makes of them now.

use std::fs;

use brigade::diagnostics::{Diagnostics, Sources};
use brigade::import::robotouille::{File, Options, import};
use brigade::syntax::printer::{print_domain, print_problem};

use serde_json::Value;

use super::kitchen::{Kitchen, folder, read};
use crate::kitchen::root;

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
            let bundled = |path: String| fs::read_to_string(root().join(path)).unwrap();
            let problem = print_problem(&kitchen.problem);
            assert_eq!(problem, bundled(format!("problems/{domain}/{name}.pddl")));
            let found = print_domain(&kitchen.domain);
            assert_eq!(found, bundled(format!("domains/{domain}.pddl")));
        }
    }
}

/// A file of the repository.
fn own(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

#[test]
fn the_problems_of_the_repository_are_what_its_environments_become() {
    let mut found = 0;
    for (_, domain, _) in SETS.into_iter().skip(1) {
        for entry in fs::read_dir(root().join("problems").join(domain)).unwrap() {
            let problem = fs::read_to_string(entry.as_ref().unwrap().path()).unwrap();
            let name = entry.unwrap().file_name().into_string().unwrap();
            let name = name.strip_suffix(".pddl").unwrap();
            let environment = own(&format!("environments/robotouille/{name}.json"));
            let domain_json = own("environments/robotouille/domain.json");
            let mut sources = Sources::new();
            let file = |source, text| File { source, text };
            let (imported_domain, imported) = import(
                file(sources.add("domain", domain_json.clone()), &domain_json),
                file(
                    sources.add("environment", environment.clone()),
                    &environment,
                ),
                name,
                &Options::default(),
                &mut Diagnostics::new(),
            )
            .unwrap();
            assert_eq!(print_problem(&imported), problem);
            let expected = own(&format!("domains/{domain}.pddl"));
            assert_eq!(print_domain(&imported_domain), expected);
            found += 1;
        }
    }
    assert_eq!(found, 30);
}

#[test]
fn the_environments_of_the_repository_are_the_published_ones() {
    if folder().is_none() {
        return;
    }
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    for entry in fs::read_dir(root().join("environments/robotouille")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let Some(stem) = name.strip_suffix(".json") else {
            continue;
        };
        let path = match stem.split_once('-') {
            Some((set, task)) => format!("environments/{set}/{task}.json"),
            None => "domain/robotouille.json".to_owned(),
        };
        let mut published = parsed(&read(&path));
        // The engine does not read it.
        published.as_object_mut().unwrap().remove("config");
        let own = parsed(&own(&format!("environments/robotouille/{name}")));
        assert_eq!(own, published, "{name}");
    }
}
