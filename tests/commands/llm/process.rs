//! The process metrics of an evaluation: the report of `brigade bench` on each finished episode, and that it does not
//! depend on how the run came to its end.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint, Request};

/// The summary of a run of a bench file against an endpoint.
fn summary(bench: &Bench, endpoint: &Endpoint, arguments: &[&str]) -> Value {
    let url = endpoint.base_url();
    let mut all = vec!["--base-url", &url, "--format", "json"];
    all.extend(arguments);
    let output = bench.run("out", &all);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The row of a set-up over all problems.
fn row<'a>(summary: &'a Value, setup: &str) -> &'a Value {
    let rows = summary["rows"].as_array().unwrap();
    let row = rows
        .iter()
        .find(|row| row["setup"] == setup && row["problem"].is_null());
    row.unwrap()
}

#[test]
fn the_metrics_of_a_run_are_those_that_score_finds() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("metrics", BENCH);
    summary(&bench, &endpoint, &[]);
    for line in bench.lines("out/process.jsonl") {
        let id = line["id"].as_str().unwrap();
        let log = Path::new("out/episodes").join(format!("{id}.jsonl"));
        let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
            .current_dir(&bench.folder)
            .args([
                "score",
                "--process",
                "--problem",
                "tea.pddl",
                "--format",
                "json",
            ])
            .arg(log)
            .output()
            .unwrap();
        assert_eq!(exit(&output), 0, "{}", stderr(&output));
        let scored: Value = serde_json::from_slice(&output.stdout).unwrap();
        let mut other_line = line.clone();
        let fields = other_line.as_object_mut().unwrap();
        assert_eq!(fields.remove("problem"), Some(json!("tea")));
        assert_eq!(fields.remove("max_states"), Some(json!(1_000_000)));
        assert_eq!(scored["process"][0], other_line);
    }
    let ids = |file: &str| -> Vec<Value> {
        let lines = bench.lines(file).into_iter();
        lines.map(|mut line| line["id"].take()).collect()
    };
    assert_eq!(ids("out/process.jsonl"), ids("out/index.jsonl"));
}

#[test]
fn a_tick_that_is_wasted_is_charged_to_who_wasted_it() {
    let mut waits = 2;
    // Both wait for a tick; later the mock has ann wait for ever, and bob does it all.
    let endpoint = Endpoint::start_with(move |request: &Request| {
        waits -= 1;
        if waits >= 0 || request.body.contains("You are ann") {
            return Answer::text("Reasoning: later\nAction: wait");
        }
        cook(request)
    });
    let bench = Bench::new("wasted", &BENCH.replace("[1, 2]", "[1]"));
    let summary = summary(&bench, &endpoint, &[]);
    let react = &row(&summary, "react")["process"];
    // The optimum is 3 ticks: light the stove, wait for the water, pour.
    assert_eq!(react["optimality_rate"], 0.75);
    assert_eq!(react["agents"]["ann"]["regret"], 0.0);
    assert_eq!(react["agents"]["bob"]["regret"], 1.0);
    assert_eq!(react["failures"]["goal"], 1);
    let planner = &row(&summary, "planner")["process"];
    assert_eq!(planner["optimality_rate"], 1.0);
    assert_eq!(planner["incomplete"], 0);
    let index = bench.lines("out/index.jsonl");
    assert_eq!(index[0]["process"]["end"]["regret"], 1);
}

#[test]
fn requests_are_classed_by_the_plans_from_where_they_were_made() {
    let endpoint = Endpoint::start_with(|request: &Request| {
        let is_asked = request.body.contains("Please light");
        Answer::text(match (request.body.contains("You are ann"), is_asked) {
            (true, false) => {
                "Reasoning: bob first\nPlan: request(light the stove); wait; wait; pour the tea\n\
                 Say: Please light the stove."
            }
            (false, true) => "Reasoning: sure\nPlan: light the stove\nSay: I do. [END]",
            _ => "Reasoning: nothing to do\nPlan: wait\nSay: [NOTHING]",
        })
    });
    let text = BENCH.replace("\"react\"", "\"collab\"");
    let bench = Bench::new("requests", &text.replace("[1, 2]", "[1]"));
    let summary = summary(&bench, &endpoint, &[]);
    let process = &row(&summary, "collab")["process"];
    assert_eq!(
        process["initiation"],
        json!({"correct": 1, "premature": 0, "repetitive": 0, "irrelevant": 0, "unknown": 0})
    );
    assert_eq!(
        process["response"],
        json!({"followed": 1, "later": 0, "refused": 0, "ignored": 0})
    );
    let output = bench.run("out", &["--base-url", &endpoint.base_url()]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("1 of 1"), "{table}");
}

#[test]
fn an_episode_that_is_added_is_measured_as_if_all_had_been_played_at_once() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("added", BENCH);
    let url = endpoint.base_url();
    bench.run("whole", &["--base-url", &url]);
    bench.run("parts", &["--base-url", &url, "--limit", "1"]);
    assert_eq!(bench.lines("parts/process.jsonl").len(), 1);
    bench.run("parts", &["--base-url", &url]);
    assert_eq!(bench.files("parts"), bench.files("whole"));
}

#[test]
fn a_limit_of_states_leaves_bounds_and_says_so() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("bounded", BENCH);
    let url = endpoint.base_url();
    let output = bench.run("out", &["--base-url", &url, "--metric-states", "1"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.contains("--metric-states"), "{table}");
    assert!(bench.lines("out/process.jsonl")[0]["end"]["optimum_bounds"].is_object());
    bench.run("out", &["--base-url", &url]);
    assert_eq!(bench.lines("out/process.jsonl")[0]["end"]["optimum"], 3);
}

#[test]
fn metrics_can_be_left_out() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("left-out", BENCH);
    let summary = summary(&bench, &endpoint, &["--metric-states", "0"]);
    assert_eq!(row(&summary, "react")["process"], Value::Null);
    assert!(!bench.folder.join("out/process.jsonl").exists());
}

#[test]
fn a_cache_is_a_cassette_that_asks_for_what_it_does_not_hold() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("cache", BENCH);
    let url = endpoint.base_url();
    bench.run("first", &["--base-url", &url, "--cache"]);
    let asked = endpoint.requests().len();
    bench.run("second", &["--base-url", &url, "--cassette", "auto"]);
    assert_eq!(endpoint.requests().len(), asked);
    assert_eq!(bench.files("first"), bench.files("second"));
    let output = bench.run("third", &["--cassette-file", "tape.jsonl"]);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("add `--cassette"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_set_up_may_have_fewer_ticks_than_the_others() {
    let endpoint = Endpoint::start_with(cook);
    let text = BENCH.replace("agents = \"react\"", "agents = \"react\"\nmax-ticks = 2");
    let bench = Bench::new("fewer", &text);
    let summary = summary(&bench, &endpoint, &[]);
    assert_eq!(row(&summary, "react")["success_rate"], 0.0);
    assert_eq!(row(&summary, "react")["process"]["to_go"], 1.0);
    assert_eq!(row(&summary, "planner")["success_rate"], 1.0);
    assert_eq!(bench.lines("out/index.jsonl")[0]["max_ticks"], 2);
}
