//! The logs of `brigade bench` fit the schema that is published.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint};
use crate::llm::schema::{conforms, schema};

/// All events of the logs of a folder; each fits the schema.
fn events(folder: &Path) -> Vec<Value> {
    let schema = schema("event-log.schema.json");
    let mut events = Vec::new();
    for part in ["episodes", "attempts"] {
        for log in fs::read_dir(folder.join(part)).unwrap() {
            for line in fs::read_to_string(log.unwrap().path()).unwrap().lines() {
                let event: Value = serde_json::from_str(line).unwrap();
                assert!(conforms(&event, &schema, &schema), "{line}");
                events.push(event);
            }
        }
    }
    events
}

/// The different values of a field of the events of one kind, in order.
fn found(events: &[Value], kind: &str, field: &str) -> Vec<String> {
    let events = events.iter().filter(|event| event["event"] == kind);
    let mut values: Vec<String> = events
        .map(|event| event[field].as_str().unwrap_or("null").to_owned())
        .collect();
    values.sort();
    values.dedup();
    values
}

#[test]
fn the_logs_of_a_replayed_cassette_fit() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("smoke-logs");
    let _ = fs::remove_dir_all(&folder);
    let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args([
            "bench",
            "evals/smoke.toml",
            "--cassette",
            "replay",
            "--log-dir",
        ])
        .arg(&folder)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let events = events(&folder);
    assert_eq!(found(&events, "call", "format"), ["grammar"]);
    assert_eq!(found(&events, "call", "module"), ["reasoner"]);
}

/// Plays the first set-up of [`BENCH`] with a design; the folder of its logs.
fn play(name: &str, design: &str, endpoint: &Endpoint) -> PathBuf {
    let text = BENCH.replace("agents = \"react\"", &format!("agents = {design:?}"));
    let bench = Bench::new(name, &text);
    let url = endpoint.base_url();
    bench.run("out", &["--base-url", &url, "--retry-on-error", "0"]);
    bench.folder.join("out")
}

#[test]
fn the_logs_of_agents_that_talk_give_up_or_have_no_server_fit() {
    let mut turn = 0;
    let talks = Endpoint::start_with(move |request| {
        turn += 1;
        if turn % 2 == 0 {
            cook(request)
        } else {
            Answer::text("Reasoning: why not\nPlan: request(light the stove)\nSay: Shall I?")
        }
    });
    let talk = events(&play("logs-talk", "collab", &talks));
    assert!(found(&talk, "call", "module").contains(&"communicator".to_owned()));
    assert!(!found(&talk, "message", "text").is_empty());
    let garbage = Endpoint::start([Answer::text("§%&/"), Answer::uncounted("?")]);
    let given_up = events(&play("logs-gave-up", "react", &garbage));
    assert!(found(&given_up, "end", "reason").contains(&"gave-up".to_owned()));
    let broken = Endpoint::start([Answer::status(500, "out of order")]);
    let outage = events(&play("logs-outage", "react", &broken));
    assert!(found(&outage, "end", "reason").contains(&"infrastructure".to_owned()));
    assert!(found(&outage, "decision", "outcome").contains(&"infra_error".to_owned()));
    assert!(found(&outage, "call", "error")[0].contains("out of order"));
}

#[test]
fn a_log_says_which_episode_of_which_set_up_it_is_and_which_trial() {
    let folder = play(
        "logs-header",
        "reflexion",
        &Endpoint::start([Answer::text("no")]),
    );
    let headers: Vec<Value> = events(&folder)
        .into_iter()
        .filter(|event| event["event"] == "header")
        .map(|event| event["evaluation"].clone())
        .collect();
    for (setup, model, trial) in [
        ("react", json!("mock"), 1),
        ("react", json!("mock"), 2),
        ("react", json!("mock"), 3),
        ("planner", Value::Null, 1),
    ] {
        let mut expected = json!({"problem": "tea", "setup": setup, "epoch": 1, "trial": trial});
        if model != Value::Null {
            expected["model"] = model;
        }
        // Of two seeds.
        let same = headers.iter().filter(|header| **header == expected);
        assert_eq!(same.count(), 2, "{expected} in {headers:?}");
    }
}

#[test]
fn a_log_says_which_model_has_answered_and_what_it_thought() {
    let mut times = 0;
    let endpoint = Endpoint::start_with(move |_| {
        times += 1;
        // What is thought is no answer, though it has the form of one.
        let thought = "Reasoning: so\nAction: light the stove";
        let content = match times {
            1 => "",
            _ => "Reasoning: so\nAction: wait",
        };
        Answer::json(&json!({
            "model": "mock-2025-01-01",
            "system_fingerprint": format!("fp_{}", times % 2),
            "choices": [{
                "message": {"content": content, "reasoning_content": thought},
                "finish_reason": "stop",
            }],
        }))
    });
    let events = events(&play("logs-served", "react", &endpoint));
    assert_eq!(found(&events, "call", "served_model"), ["mock-2025-01-01"]);
    assert_eq!(
        found(&events, "call", "system_fingerprint"),
        ["fp_0", "fp_1"]
    );
    let thought = ["Reasoning: so\nAction: light the stove"];
    assert_eq!(found(&events, "call", "reasoning"), thought);
    let calls = events.iter().filter(|event| event["event"] == "call");
    let unread = calls.filter(|call| call["lenient"] == false).count();
    assert_eq!(unread, 1, "the answer of which only the thought is there");
    let acted = events.iter().filter(|event| event["event"] == "step");
    let mut acted = acted.flat_map(|step| step["choices"].as_array().unwrap());
    assert!(acted.all(|choice| !choice["command"].to_string().contains("light the stove")));
}
