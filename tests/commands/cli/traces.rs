//! The repository's own traces of Robotouille, through `brigade replay`.

use std::fs;
use std::path::Path;

use super::{Scratch, run};

#[test]
fn the_own_traces_reach_their_goals_at_their_last_steps() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/traces/robotouille");
    let mut replayed = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let (task, semantics) = path
            .file_stem()
            .and_then(|stem| stem.to_str()?.rsplit_once('.'))
            .unwrap();
        let problem = format!("problems/robotouille/{task}.pddl");
        let trace = path.display().to_string();
        let args = ["replay", &problem, &trace, "--semantics", semantics];
        let output = run(&[&args[..], &["--format", "json"]].concat());
        assert_eq!(output.status.code(), Some(0), "{trace}");
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let lines = fs::read_to_string(&path).unwrap().lines().count();
        let steps = document["steps"].as_array().unwrap();
        // Besides its steps a log has a first and a last line.
        assert_eq!(steps.len(), lines - 2, "{trace}");
        let goals: Vec<bool> = steps.iter().map(|step| step["goal"] == true).collect();
        let first = goals.iter().position(|&goal| goal);
        assert_eq!(first, Some(steps.len() - 1), "{trace}");
        assert_eq!(document["unplayed"], 0, "{trace}");
        replayed += 1;
    }
    assert!(replayed > 5, "{replayed} traces");
}

/// A log of an earlier version, which made fingerprints of tasks in another way.
#[test]
fn a_log_with_a_fingerprint_of_schema_1_is_not_scored() {
    let task = "synchronous-0_cheese_sandwich";
    let log = format!("tests/data/traces/robotouille/{task}.clean.jsonl");
    let log = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(log)).unwrap();
    assert!(log.contains("\"task\":\"schema2:fnv1a64:"), "{log}");
    let scratch = Scratch::new("schema-1");
    let old = scratch.file("old.jsonl", log.replace("schema2:fnv1a64:", "fnv1a64:"));
    let problem = format!("problems/robotouille/{task}.pddl");
    let output = run(&["score", &old, "--problem", &problem]);
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    for part in [
        "by an earlier version",
        "(schema 1)",
        "play the episode again",
    ] {
        assert!(said.contains(part), "{said}");
    }
}
