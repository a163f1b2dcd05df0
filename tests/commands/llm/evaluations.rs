//! The evaluations that come with Brigade: their cassettes give the same bytes, without a server, in
//! whatever order episodes are played.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::llm::bench::{exit, files, stderr};

/// Replays an evaluation of the repository, so many episodes at a time; the folder of its logs, and what is printed.
fn replay(name: &str, threads: &str, arguments: &[&str]) -> (PathBuf, String) {
    let log_dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{threads}"));
    let _ = fs::remove_dir_all(&log_dir);
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["bench", &format!("evals/{name}.toml")])
        .args(["--cassette", "replay", "--max-connections", threads])
        .arg("--log-dir")
        .arg(&log_dir)
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    (log_dir, String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_recorded_evaluation_gives_the_same_bytes_every_time() {
    // Some optima of `ci` take long to prove.
    for (name, states) in [("smoke", "1000000"), ("ci", "10000")] {
        let options = ["--metric-states", states];
        let [one, four] = ["1", "4"].map(|threads| files(&replay(name, threads, &options).0));
        assert!(one.len() > 4);
        assert_eq!(one, four, "{name}");
    }
}

#[test]
fn every_design_has_an_outcome_for_each_step_that_it_decided() {
    let (log_dir, _) = replay("ci", "2", &["--metric-states", "0"]);
    let text = fs::read_to_string(log_dir.join("index.jsonl")).unwrap();
    for line in text.lines() {
        let episode: Value = serde_json::from_str(line).unwrap();
        let outcomes = episode["outcomes"].as_object().unwrap().values();
        let steps: u64 = outcomes.map(|count| count.as_u64().unwrap()).sum();
        assert!(steps > 0, "{line}");
    }
    assert_eq!(text.lines().count(), 8);
}

#[test]
fn each_design_plays_the_systems_that_it_was_published_for() {
    let (log_dir, _) = replay("systems", "2", &["--metric-states", "0"]);
    let text = fs::read_to_string(log_dir.join("index.jsonl")).unwrap();
    let mut played: Vec<String> = Vec::new();
    for line in text.lines() {
        let episode: Value = serde_json::from_str(line).unwrap();
        let outcomes = episode["outcomes"].as_object().unwrap().values();
        let steps: u64 = outcomes.map(|count| count.as_u64().unwrap()).sum();
        assert!(steps > 0, "{line}");
        let [setup, problem] = ["setup", "problem"].map(|key| episode[key].as_str().unwrap());
        played.push(format!("{setup}: {problem}"));
    }
    played.sort();
    assert_eq!(
        played,
        [
            "cac with macro actions: cramped_room-deliver-1",
            "cac with macro actions: no_counter_door",
            "cac: code-map",
            "cac: door3-open",
            "cac: tiny-2",
            "dispatcher: level-0",
            "orchestrator: level-1-green-salad",
            "react: code-map",
            "react: cramped_room-deliver-1",
            "react: door3-open",
            "react: level-0",
            "react: level-1-green-salad",
            "react: no_counter_door",
            "react: porkchop",
            "react: tiny-2",
        ]
    );
}

/// Without the process metrics, which take minutes.
#[test]
fn the_table_of_the_baselines_is_the_one_shown() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/evaluations.md");
    let page = fs::read_to_string(page).unwrap();
    let (_, table) = replay("baselines", "2", &["--metric-states", "0"]);
    let (counts, tokens) = table.split_once("\n\n").unwrap();
    assert!(page.contains(counts), "{counts}");
    assert!(page.contains(tokens.trim_end()), "{tokens}");
}
