//! The files of the repository: what the front end makes of the published ones now.

use std::fs;

use brigade::import::robotouille::Options;
use brigade::syntax::printer::{print_domain, print_problem};

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
