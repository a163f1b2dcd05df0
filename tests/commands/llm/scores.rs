//! Scores against references: of an evaluation that declares them, and of its folder.

use std::fs;
use std::process::{Command, Output};

use serde_json::{Value, json};

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint, Request};

fn score(bench: &Bench, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brigade"));
    command
        .current_dir(&bench.folder)
        .arg("score")
        .args(arguments);
    command.output().unwrap()
}

fn json_of(output: &Output) -> Value {
    assert_eq!(exit(output), 0, "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// An agent asks the other to light the stove, which agrees and does it.
fn helpers() -> Endpoint {
    Endpoint::start_with(|request: &Request| {
        let is_asked = request.body.contains("Please light");
        Answer::text(match (request.body.contains("You are ann"), is_asked) {
            (true, false) => {
                "Reasoning: bob first\nPlan: request(light the stove); wait; wait; pour the tea\n\
                 Say: Please light the stove."
            }
            (false, true) => "Reasoning: sure\nPlan: light the stove\nSay: I do. [END]",
            _ => "Reasoning: nothing to do\nPlan: wait\nSay: [NOTHING]",
        })
    })
}

#[test]
fn the_scores_of_a_run_are_those_that_score_finds() {
    let endpoint = helpers();
    let text = BENCH.replace("\"react\"", "\"collab\"");
    let bench = Bench::new("scores", &format!("references = \"derived\"\n{text}"));
    let url = endpoint.base_url();
    let summary = json_of(&bench.run("out", &["--base-url", &url, "--format", "json"]));
    let scored = json_of(&score(
        &bench,
        &["out", "--problem", "tea.pddl", "--format", "json"],
    ));
    let index = bench.lines("out/index.jsonl");
    let episodes = scored["episodes"].as_array().unwrap();
    assert_eq!(episodes.len(), index.len());
    for (line, episode) in index.iter().zip(episodes) {
        let scores = &line["scores"];
        assert_eq!(line["id"], episode["id"]);
        for key in ["pc", "joint_pc"] {
            assert_eq!(scores[key], episode[key]);
        }
        assert_eq!(scores["tes"]["ann"], episode["agents"][0]["tes"]);
        assert_eq!(scores["tes"]["bob"], episode["agents"][1]["tes"]);
        let tally = &episode["collaboration"]["tally"];
        assert_eq!(scores["requests"], tally["initiations"]);
        assert_eq!(scores["initiated"], tally["initiated"]);
    }
    let rows = summary["rows"].as_array().unwrap();
    let planner = rows.iter().find(|row| row["setup"] == "planner").unwrap();
    // Whoever follows an optimal plan matches a reference.
    assert_eq!(planner["scores"]["pc"]["value"], 1.0);
    assert_eq!(planner["scores"]["ic"]["value"], Value::Null);
    assert_eq!(scored["tasks"][0]["sr"], 1.0);
    let table = bench.run("out", &["--base-url", &url]).stdout;
    let table = String::from_utf8(table).unwrap();
    assert!(table.contains("TES by agent"), "{table}");
}

#[test]
fn a_request_that_brings_an_annotated_reference_on_is_a_success() {
    let endpoint = helpers();
    let text = BENCH.replace("\"react\"", "\"collab\"");
    let bench = Bench::new("annotated", &format!("references = \"ours.json\"\n{text}"));
    let ours = json!({"reference_1": {"agent_0": ["pour()"], "agent_1": ["light()"]}});
    fs::write(bench.folder.join("ours.json"), ours.to_string()).unwrap();
    let url = endpoint.base_url();
    let summary = json_of(&bench.run("out", &["--base-url", &url, "--format", "json"]));
    let rows = summary["rows"].as_array().unwrap();
    let collab = rows.iter().find(|row| row["setup"] == "collab").unwrap();
    let value = |score: &str| collab["scores"][score]["value"].clone();
    assert_eq!([value("pc"), value("ic"), value("rc")], [1.0, 1.0, 1.0]);
    // Other references are other scores, and no episode is played again.
    let file = bench.folder.join("bench.toml");
    let other = bench.read("bench.toml").replace("ours.json", "derived");
    fs::write(file, other).unwrap();
    let asked = endpoint.requests().len();
    let summary = json_of(&bench.run("out", &["--base-url", &url, "--format", "json"]));
    assert_eq!(endpoint.requests().len(), asked);
    let rows = summary["rows"].as_array().unwrap();
    let collab = rows.iter().find(|row| row["setup"] == "collab").unwrap();
    // Among all references is one in which bob does nothing, so the request adds nothing to its score.
    assert_eq!(collab["scores"]["ic"]["value"], 0.0);
}

#[test]
fn references_that_cannot_be_used_are_refused_with_the_way_out() {
    for (index, (references, content, expected)) in [
        ("none.json", "", "none.json: no such file"),
        ("odd.json", "[]", "odd.json: "),
        (
            "one.json",
            "{\"reference_1\": {\"agent_0\": [\"pour()\"]}}",
            "its references are of 1 agents, and `tea` has 2",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let text = format!("references = \"{references}\"\n{BENCH}");
        let bench = Bench::new(&format!("references{index}"), &text);
        if !content.is_empty() {
            fs::write(bench.folder.join(references), content).unwrap();
        }
        let output = bench.run("out", &["--base-url", "http://127.0.0.1:9/v1"]);
        let said = stderr(&output);
        assert!([2, 5].contains(&exit(&output)), "{references}: {said}");
        assert!(
            said.to_lowercase().contains(expected),
            "{references}: {said}"
        );
    }
}

#[test]
fn a_folder_that_is_not_whole_is_refused_with_what_is_missing() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("scored-folder", BENCH);
    let url = endpoint.base_url();
    assert_eq!(exit(&bench.run("out", &["--base-url", &url])), 0);
    let refused = |arguments: &[&str], expected: &str| {
        let output = score(&bench, arguments);
        let said = stderr(&output);
        assert!([2, 5].contains(&exit(&output)), "{said}");
        assert!(said.contains(expected), "{said}");
    };
    refused(&["out"], "problem `tea-for-two` is not at hand");
    let log = bench
        .folder
        .join("out/episodes/tea.react.mock.seed1.epoch1.jsonl");
    fs::remove_file(&log).unwrap();
    refused(
        &["out", "--problem", "tea.pddl"],
        "tea.react.mock.seed1.epoch1.jsonl",
    );
    fs::write(bench.folder.join("out/index.jsonl"), "{\"id\": 1}\n").unwrap();
    refused(
        &["out", "--problem", "tea.pddl"],
        "line 1 is no line of an index",
    );
    fs::write(bench.folder.join("out/index.jsonl"), "").unwrap();
    refused(
        &["out", "--problem", "tea.pddl"],
        "no episode is finished yet",
    );
    fs::remove_file(bench.folder.join("out/index.jsonl")).unwrap();
    refused(
        &["out", "--problem", "tea.pddl"],
        "no episode is finished yet",
    );
}

#[test]
fn latencies_are_recorded_of_servers_alone_and_are_in_no_file_that_is_compared() {
    let endpoint = Endpoint::start_with(cook);
    let text = format!("currency = \"EUR\"\n{BENCH}");
    let bench = Bench::new(
        "latency",
        &text.replace(
            "timeout = 5",
            "timeout = 5\nprice = { input = 1, output = 1 }",
        ),
    );
    let url = endpoint.base_url();
    let recorded = [
        "--base-url",
        &url,
        "--cassette",
        "record",
        "--format",
        "json",
    ];
    let shown = json_of(&bench.run("out", &recorded));
    let calls = endpoint.requests().len();
    let lines = bench.lines("out/latencies.jsonl");
    assert_eq!(lines.len(), calls);
    assert!(
        lines
            .iter()
            .all(|line| line["seconds"].as_f64().unwrap() > 0.0)
    );
    let latency = &shown["latency"]["mock"];
    assert_eq!(latency["calls"], calls);
    assert!(latency["p50"].as_f64() <= latency["p95"].as_f64());
    assert_eq!(shown["currency"], "EUR");
    let file: Value = serde_json::from_str(&bench.read("out/summary.json")).unwrap();
    assert_eq!(file["latency"], Value::Null);
    let replayed = bench.run("again", &["--cassette", "replay"]);
    let text = String::from_utf8(replayed.stdout).unwrap();
    assert!(
        text.contains(" EUR\n") && !text.contains("latency"),
        "{text}"
    );
    assert!(!bench.folder.join("again/latencies.jsonl").exists());
}

#[test]
fn a_currency_that_is_no_code_is_refused() {
    for code in ["euro", "€", "", "EURO"] {
        let text = format!("currency = \"{code}\"\n{BENCH}");
        let bench = Bench::new("currency", &text);
        let output = bench.run("out", &["--base-url", "http://127.0.0.1:9/v1"]);
        assert_eq!(exit(&output), 2);
        let said = stderr(&output);
        assert!(
            said.contains("three capital letters such as `EUR`"),
            "{said}"
        );
    }
}
