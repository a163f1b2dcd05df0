//! The published references of levels 5 and 6, played as soon as possible.

use std::fmt::Write;
use std::fs;

use brigade::episode::play_eagerly;
use brigade::rats::collab::{self, command};
use brigade::task::step::Status;

use crate::conformance::kitchen::{compile, problem_text, root, upstream};

/// Plays one reference and returns the published time of its delivery: the index of the last tick.
fn completion(order: &str, reference: &[Vec<String>], semantics: &str) -> u32 {
    let task = compile(&problem_text(order), semantics);
    let commands: Vec<Vec<String>> = reference
        .iter()
        .map(|own| own.iter().map(|label| command(label)).collect())
        .collect();
    let played = play_eagerly(&task, &commands, 200);
    assert_eq!(played.status, Status::Goal, "{order}");
    for (labels, own) in played.labels.iter().zip(reference) {
        let logged: Vec<String> = labels
            .iter()
            .map(|&label| task.label(label).replace(' ', ""))
            .collect();
        let expected: Vec<String> = own
            .iter()
            .map(|label| label.replace(' ', ""))
            .map(|label| match (semantics, label.as_str()) {
                ("upstream", "fill_dish_with_food(oven0)") => {
                    "put_obj_in_utensil(oven0)".to_owned()
                }
                _ => label,
            })
            .collect();
        assert_eq!(logged, expected, "{order}");
    }
    played.ticks - 1
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
        let references = collab::parse(&text).unwrap();
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
