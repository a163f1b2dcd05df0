//! The published references of levels 5 and 6, played as soon as possible.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;

use serde_json::Value;

use crate::kitchen::{Kitchen, root, upstream};

/// Plays one reference and returns the published time of its delivery.
fn completion(order: &str, reference: &Value, semantics: &str) -> usize {
    let macros = |agent: &str| -> Vec<String> {
        let calls = reference[agent].as_array().unwrap().iter();
        calls
            .map(|call| call.as_str().unwrap().replace(' ', ""))
            .collect()
    };
    let played = [macros("agent_0"), macros("agent_1")];
    let calls = played
        .each_ref()
        .map(|own| own.iter().map(String::as_str).collect::<Vec<_>>());
    let mut kitchen = Kitchen::of(order, semantics);
    kitchen.play(&calls[0], &calls[1]);
    assert!(kitchen.is("(served)"), "{order}");
    for (agent, own) in played.iter().enumerate() {
        let log = kitchen.log.iter().filter(|logged| logged.agent == agent);
        let logged: Vec<_> = log.map(|logged| logged.label.clone()).collect();
        let expected: Vec<_> = own
            .iter()
            .map(|call| match (semantics, call.as_str()) {
                ("upstream", "fill_dish_with_food(oven0)") => {
                    "put_obj_in_utensil(oven0)".to_owned()
                }
                _ => call.clone(),
            })
            .collect();
        assert_eq!(logged, expected, "{order}");
    }
    kitchen.log.last().unwrap().stamp()
}

#[test]
fn the_references_of_levels_5_and_6_play_through() {
    let Some(folder) = upstream() else {
        return;
    };
    let mut times = String::new();
    let mut played = 0;
    let mut files: Vec<_> = fs::read_dir(folder.join("rats"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    for path in files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let (level, order) = name.split_once('_').unwrap();
        if !["5", "6"].contains(&level) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let references: BTreeMap<String, Value> = serde_json::from_str(&text).unwrap();
        for (reference, sequences) in &references {
            let time = completion(order, sequences, "upstream");
            if [
                "mashed_potato_and_pea_patty",
                "potato_carrot_and_onion_patty",
            ]
            .contains(&order)
            {
                assert_eq!(completion(order, sequences, "clean"), time, "{order}");
            }
            writeln!(times, "{level} {order} {reference} {time}").unwrap();
            played += 1;
        }
    }
    assert_eq!(played, 40);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root().join("snapshots/conformance"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!("times_of_levels_5_and_6", times));
}
