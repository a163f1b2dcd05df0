//! Compact playbacks of our own, one per shape of level 1 to 4: `tests/data/conformance`.
//!
//! They hold when and what, as the published recordings do; with those at hand a test compares
//! them, and writes them anew where `BRIGADE_WRITE_FIXTURES` is set.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::conformance::kitchen::root;
use crate::conformance::playback::Playback;
use crate::conformance::recorded::recordings;

fn folder() -> PathBuf {
    root().join("tests/data/conformance")
}

/// The name of the file for a recording: the first task of each shape has one.
fn file_name(reference: &str, order: &str) -> Option<String> {
    let shapes = [
        "boiled_egg",
        "baked_bell_pepper",
        "boiled_corn_slices",
        "baked_potato_slices",
        "baked_bell_pepper_soup",
        "sliced_bell_pepper_and_corn_stew",
    ];
    shapes
        .contains(&order)
        .then(|| format!("{order}.{reference}.txt"))
}

fn fixtures() -> BTreeMap<String, Playback> {
    let files = fs::read_dir(folder()).unwrap();
    files
        .map(|file| file.unwrap())
        .map(|file| {
            let name = file.file_name().into_string().unwrap();
            let text = fs::read_to_string(file.path()).unwrap();
            (name, Playback::parse(&text))
        })
        .collect()
}

#[test]
fn every_fixture_is_replayed_under_both_semantics() {
    let fixtures = fixtures();
    assert_eq!(fixtures.len(), 7);
    for playback in fixtures.values() {
        playback.check("upstream");
        playback.check("clean");
    }
}

#[test]
fn the_fixtures_say_what_the_recordings_say() {
    let Some(recordings) = recordings() else {
        return;
    };
    let expected: BTreeMap<String, Playback> = recordings
        .into_iter()
        .filter_map(|(reference, playback)| {
            Some((file_name(&reference, &playback.order)?, playback))
        })
        .collect();
    if std::env::var_os("BRIGADE_WRITE_FIXTURES").is_some() {
        for (name, playback) in &expected {
            fs::write(folder().join(name), playback.to_string()).unwrap();
        }
    }
    assert_eq!(fixtures(), expected);
}

#[test]
fn a_playback_is_read_as_it_was_written() {
    for playback in fixtures().values() {
        assert_eq!(&Playback::parse(&playback.to_string()), playback);
    }
}
