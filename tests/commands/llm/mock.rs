//! The mock model: an evaluation from end to end without a server.

use serde_json::Value;

use crate::llm::bench::{BENCH, Bench, exit, stderr};

/// A bench file whose model is the mock.
fn mocked(more: &str) -> String {
    BENCH.replace(
        "[models.mock]",
        &format!("[models.mock]\nbase-url = \"mock:\"\n{more}"),
    )
}

#[test]
fn an_evaluation_needs_no_server_and_equal_runs_have_equal_bytes() {
    let bench = Bench::new("mock", &mocked("price = { input = 1.0, output = 2.0 }"));
    let output = bench.run("out", &["--cassette", "record"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let summary: Value = serde_json::from_str(&bench.read("out/summary.json")).unwrap();
    assert!(summary["cost_spent"].as_f64().unwrap() > 0.0);
    for line in bench.lines("out/index.jsonl") {
        assert_eq!(line["outcomes"]["unparseable"], 0);
        assert_eq!(line["outcomes"]["illegal_action"], 0);
    }
    assert_eq!(exit(&bench.run("again", &[])), 0);
    assert_eq!(bench.files("out"), bench.files("again"));
    assert_eq!(exit(&bench.run("replayed", &["--cassette", "replay"])), 0);
    assert_eq!(bench.files("out"), bench.files("replayed"));
}

#[test]
fn every_format_is_answered() {
    let bench = Bench::new("mock-formats", BENCH);
    for format in ["text", "json", "grammar", "tool", "logprobs", "auto"] {
        let asked = ["--base-url", "mock:", "--action-format", format];
        let output = bench.run(format, &asked);
        assert_eq!(exit(&output), 0, "{}", stderr(&output));
        for line in bench.lines(&format!("{format}/index.jsonl")) {
            assert_eq!(line["strict"], line["read"], "{format}: {line}");
        }
    }
}

#[test]
fn the_limit_of_tokens_holds() {
    let bench = Bench::new("mock-limit", &mocked(""));
    let output = bench.run("out", &["--token-limit", "100", "--max-connections", "1"]);
    assert_eq!(exit(&output), 3, "{}", stderr(&output));
}
