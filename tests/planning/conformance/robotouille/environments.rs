//! Every published environment: it loads, compiles and can be played, under both semantics.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use brigade::diagnostics::Code;
use brigade::import::robotouille::Options;
use brigade::task::effect::Record;

use super::kitchen::{choices, folder, kitchen};
use crate::common::share::share;

/// Steps that are played in each.
const STEPS: usize = 40;
/// Of the generated environments, of which ten are alike, every so many is played.
const PLAYED: usize = 5;

/// The JSON files of a folder and its folders, by path.
pub(super) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|ending| ending == "json") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn every_published_environment_is_loaded_and_those_that_are_played_have_choices_under_both_semantics()
 {
    let Some(folder) = folder() else {
        return;
    };
    let mut warned: BTreeMap<Code, Vec<String>> = BTreeMap::new();
    let mut count = 0;
    for part in ["environments", "procgen"] {
        let found = files(&folder.join(part));
        let nth = if part == "procgen" { PLAYED } else { 1 };
        let played = share(found.iter().cloned(), nth);
        for path in found {
            let name = path.strip_prefix(&folder).unwrap();
            let name = name.to_str().unwrap().to_owned();
            let kitchen = kitchen(&name, &Options::default());
            for &code in &kitchen.warnings {
                warned.entry(code).or_default().push(name.clone());
            }
            count += 1;
            if !played.contains(&path) {
                continue;
            }
            for semantics in ["clean", "upstream"] {
                let task = kitchen.compile(semantics, true);
                let mut state = task.initial.clone();
                for step in 0..STEPS {
                    let choices = choices(&task, &state);
                    assert!(!choices.is_empty(), "{name}: one can always wait");
                    let chosen = choices[(7 * step + 3) % choices.len()];
                    task.step(&mut state, &[chosen], &mut Record::default())
                        .unwrap();
                }
            }
        }
    }
    assert_eq!(count, 264);
    // One task, in its published form and ten generated ones, uses one id for lettuce and for cheese.
    let shared = warned.remove(&Code::SharedGoalId).unwrap();
    assert_eq!(shared.len(), 11);
    assert!(
        shared
            .iter()
            .all(|name| name.contains("1_lettuce_sandwich"))
    );
    // In three of these the generator has put a cheese.
    let unreachable = warned.remove(&Code::UnreachableGoal).unwrap();
    assert_eq!(unreachable.len(), 8);
    assert!(unreachable.iter().all(|name| shared.contains(name)));
    assert_eq!(warned, BTreeMap::new());
}
