//! Episodes that are part of the repository, `tests/data/overcooked`: the first steps of some of the
//! recordings. With these at hand a test compares them, and writes them anew where
//! `BRIGADE_WRITE_FIXTURES` is set.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use super::episode::Episode;
use super::kitchen::{Kitchen, problem, upstream};
use super::recorded::lines;
use crate::conformance::kitchen::root;

/// The name of each fixture, the layout and the place of its recording, and how many steps of it.
const FIXTURES: [(&str, &str, usize, usize); 5] = [
    ("two-deliveries", "cramped_room", 4, 90),
    ("two-deliveries-old-dynamics", "cramped_room", 9, 90),
    ("counters", "forced_coordination", 2, 60),
    ("two-ingredients", "mdp_test", 5, 180),
    ("four-players", "multiplayer_schelling", 4, 60),
];

fn folder() -> PathBuf {
    root().join("tests/data/overcooked")
}

fn fixtures() -> BTreeMap<String, Episode> {
    let read = |(name, ..): (&str, &str, usize, usize)| {
        let text = fs::read_to_string(folder().join(format!("{name}.txt"))).unwrap();
        (name.to_owned(), Episode::parse(&text))
    };
    FIXTURES.into_iter().map(read).collect()
}

#[test]
fn every_fixture_is_replayed_state_by_state() {
    let fixtures = fixtures();
    for episode in fixtures.values() {
        episode.check(&mut Kitchen::new(
            &problem(&episode.layout),
            &episode.semantics,
        ));
    }
    let steps = fixtures.values().flat_map(|episode| &episode.steps);
    let earned: i64 = steps.flat_map(|step| &step.sparse).sum();
    assert_eq!(earned, 90);
}

#[test]
fn the_fixtures_say_what_the_recordings_say() {
    let Some(upstream) = upstream("overcooked-ai") else {
        return;
    };
    let recorded = |(name, layout, at, steps): (&str, &str, usize, usize)| {
        let lines = lines(&upstream.join(format!("golden/{layout}.jsonl.gz")));
        let mut episode = Episode::golden(&lines[at]);
        episode.steps.truncate(steps);
        (name.to_owned(), episode)
    };
    let expected: BTreeMap<String, Episode> = FIXTURES.into_iter().map(recorded).collect();
    if std::env::var_os("BRIGADE_WRITE_FIXTURES").is_some() {
        for (name, episode) in &expected {
            fs::write(folder().join(format!("{name}.txt")), episode.to_string()).unwrap();
        }
    }
    assert_eq!(fixtures(), expected);
}
