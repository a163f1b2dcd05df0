//! The importer on every published layout file, and the bundled problems, which it made.

use std::collections::BTreeMap;
use std::fs;

use brigade::import::overcooked::Options;

use super::kitchen::{Kitchen, imported, problem, upstream};
use crate::conformance::kitchen::root;

/// The bundled problems by the systems and layouts that they are made of.
const BUNDLED: [(&str, &[&str]); 2] = [
    (
        "overcooked-ai",
        &[
            "cramped_room",
            "asymmetric_advantages",
            "coordination_ring",
            "forced_coordination",
            "counter_circuit_o_1order",
            "cramped_room_tomato",
            "mdp_test",
            "multiplayer_schelling",
        ],
    ),
    (
        "llm-coordination",
        &["no_counter_door", "soup_passing_door"],
    ),
];

/// Of how many of them there is one with the first delivery as its goal.
const WITH_FIRST_DELIVERY: usize = 5;

/// The problems of a text of layouts by their names.
fn problems(text: &str, name: &str, deliver: Option<u32>) -> BTreeMap<String, String> {
    let options = Options {
        deliver,
        ..Options::default()
    };
    let imported = imported(text, name, &options).into_iter();
    imported.map(|one| (one.name.clone(), one.text())).collect()
}

#[test]
fn every_published_layout_is_read_from_its_file_and_from_json_alike() {
    let Some(folder) = upstream("overcooked-ai") else {
        return;
    };
    let mut of_files = BTreeMap::new();
    for entry in fs::read_dir(folder.join("layouts/raw")).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_str().unwrap();
        of_files.extend(problems(&text, name, None));
    }
    assert_eq!(of_files.len(), 49);
    let json = fs::read_to_string(folder.join("layouts/layouts.json")).unwrap();
    assert_eq!(of_files, problems(&json, "layouts", None));
    for (name, problem) in &of_files {
        let kitchen = Kitchen::new(problem, "clean");
        assert!(!kitchen.pots().is_empty(), "{name}");
    }
}

#[test]
fn the_bundled_problems_are_what_the_importer_makes() {
    let mut fresh = BTreeMap::new();
    for (system, layouts) in BUNDLED {
        let Some(folder) = upstream(system) else {
            return;
        };
        for layout in layouts {
            let path = folder.join(format!("layouts/raw/{layout}.layout"));
            let text = fs::read_to_string(path).unwrap();
            fresh.extend(problems(&text, layout, None));
            if system == BUNDLED[0].0 && layouts[..WITH_FIRST_DELIVERY].contains(layout) {
                fresh.extend(problems(&text, layout, Some(1)));
            }
        }
    }
    let files = fs::read_dir(root().join("problems/overcooked-ai")).unwrap();
    assert_eq!(files.count(), fresh.len());
    for (name, text) in fresh {
        assert_eq!(problem(&name), text, "import {name} anew");
    }
}
