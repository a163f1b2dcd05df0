//! The scripts that follow orders, `evals/followers`, reach what `docs/results/baselines.jsonl` says of them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::docs::{has_python, read, root};

/// Totals by their names.
type Totals = BTreeMap<String, f64>;

fn totals(of: &Value) -> Totals {
    serde_json::from_value(of["totals"].clone()).unwrap()
}

/// Returns the totals that the page of baselines shows of `orders` on a group of problems.
fn shown(group: &str) -> Totals {
    let text = read("docs/results/baselines.jsonl");
    let mut lines = text
        .lines()
        .map(|line| -> Value { serde_json::from_str(line).unwrap() });
    let line = lines.find(|line| line["group"] == group && line["who"] == "orders");
    totals(&line.unwrap())
}

/// Returns the final totals of an episode in which a script decides for all agents, played from the folder of
/// evaluations.
fn played(script: &str, arguments: &[&str]) -> Totals {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{script}.jsonl"));
    let program = format!("exec:python3 -B followers/{script}.py ../problems/overcooked-ai");
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .current_dir(root().join("evals"))
        .arg("run")
        .args(arguments)
        .args(["--others", &program, "--force", "--log"])
        .arg(&log)
        .output()
        .unwrap();
    let text = fs::read_to_string(&log).unwrap();
    let end: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(end["event"], "end", "{output:?}");
    totals(&end)
}

#[test]
fn players_of_overcooked_hand_over_what_they_cannot_bring_to_the_pot() {
    if !has_python() {
        return;
    }
    let problem = "../problems/overcooked-ai/forced_coordination.pddl";
    let episode = played("overcooked_ai", &[problem, "--semantics", "old-dynamics"]);
    let shown = shown("forced_coordination");
    assert!(episode["reward"] > 0.0);
    assert!((episode["reward"] * 5.0 - shown["reward"]).abs() < 1e-9);
}

#[test]
fn cooks_of_cookmas_serve_an_evening_with_changes() {
    if !has_python() {
        return;
    }
    let episode = played("cookmas", &["../problems/cookmas/level-3-rush.pddl"]);
    assert!(episode["unserved"].abs() < 1e-9);
    let thrice = episode
        .into_iter()
        .map(|(name, amount)| (name, 3.0 * amount));
    assert_eq!(thrice.collect::<Totals>(), shown("level-3-rush"));
}

#[test]
fn cooks_of_cuisineworld_serve_a_published_stream_of_orders() {
    if !has_python() {
        return;
    }
    let mut sums = Totals::new();
    for episode in 0..3 {
        let stream = format!("cuisineworld/level-0-alpha-3-episode-{episode}.pddl");
        let problem = "../problems/cuisineworld/level-0.pddl";
        let inits = ["--init", &stream, "--init", "cuisineworld/cooks-2.pddl"];
        let arguments = [&[problem, "--semantics", "upstream"], &inits[..]].concat();
        for (name, amount) in played("cuisineworld", &arguments) {
            *sums.entry(name).or_default() += amount;
        }
    }
    assert_eq!(sums, shown("level-0-cooks-2-alpha-3"));
}
