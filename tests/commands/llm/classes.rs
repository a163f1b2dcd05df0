//! The consequences of an answer of each class in `brigade bench` and `brigade run`: an outage is never play, a
//! mistake of the configuration ends the run, what a filter held back is an outcome of its own.

use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint};

const USAGE: [(&str, u64); 2] = [("prompt_tokens", 10), ("completion_tokens", 5)];

fn finished(text: &str, reason: &str) -> Answer {
    Answer::json(&json!({
        "choices": [{"message": {"content": text}, "finish_reason": reason}],
        "usage": USAGE.into_iter().collect::<std::collections::BTreeMap<_, _>>(),
    }))
}

/// The bench of a model that always answers so, played once; with its summary.
fn play(name: &str, text: &str, endpoint: &Endpoint, arguments: &[&str]) -> (Bench, Output) {
    let bench = Bench::new(&format!("class-{name}"), text);
    let url = endpoint.base_url();
    let common = ["--base-url", &url, "--format", "json"];
    let output = bench.run("out", &[&common[..], arguments].concat());
    (bench, output)
}

fn decisions(bench: &Bench) -> Vec<Value> {
    let log = bench.lines("out/episodes/tea.react.mock.seed1.epoch1.jsonl");
    let mut decisions = log;
    decisions.retain(|event| event["event"] == "decision");
    decisions
}

#[test]
fn an_error_inside_an_answer_is_tried_again_and_leaves_no_trace_in_the_play() {
    let mut times = 0;
    let failing = Endpoint::start_with(move |request| {
        times += 1;
        match times % 3 {
            0 => Answer::json(&json!({"choices": [{
                "message": {"content": ""}, "finish_reason": "error",
                "error": {"code": 502, "message": "Upstream provider died"},
            }]})),
            1 => finished("Reasoning: cut\nAction: wa", "abort"),
            _ => cook(request),
        }
    });
    let text = BENCH.replace("max-retries = 0", "max-retries = 3");
    let (bench, output) = play("inside", &text, &failing, &["--max-connections", "1"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["rows"][0]["outcomes"]["unparseable"], 0);
    assert_eq!(summary["rows"][0]["success_rate"], 1.0);
    let prompts = bench.read("out/episodes/tea.react.mock.seed1.epoch1.jsonl");
    assert!(!prompts.contains("could not be used"));
}

#[test]
fn a_mistake_of_the_configuration_ends_the_run_with_what_to_do() {
    let too_many = "'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum \
                    context length is 8192 tokens and your request has 100 input tokens";
    let quota = json!({"error": {"message": "You exceeded your current quota",
        "code": "insufficient_quota"}});
    for (name, answer, expected) in [
        ("key", Answer::status(401, "wrong key"), "--api-key-env"),
        (
            "model",
            Answer::status(404, "no such model"),
            "lists its models",
        ),
        (
            "moved",
            Answer::status(302, "").header("Location", "http://other/v1"),
            "`http://other/v1`",
        ),
        ("max-tokens", Answer::status(400, too_many), "--max-tokens"),
        (
            "seed",
            Answer::status(400, "Unknown parameter: 'seed'"),
            "--omit seed",
        ),
        (
            "quota",
            Answer::with_status(429, quota.to_string()),
            "current quota",
        ),
        (
            "credits",
            Answer::status(402, "Insufficient credits"),
            "Insufficient credits",
        ),
    ] {
        let endpoint = Endpoint::start([answer.clone()]);
        let text = BENCH.replace("seeds", "epochs = 20\nseeds");
        let (_, output) = play(name, &text, &endpoint, &["--max-connections", "1"]);
        assert_eq!(exit(&output), 2, "{name}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(expected),
            "{name}: {}",
            stderr(&output)
        );
        let failure: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert!(failure["failure"].is_string(), "{name}: {failure}");
        assert_eq!(endpoint.requests().len(), 1, "{name}");
        let output = run(&format!("{name}-run"), &endpoint, &[]);
        assert_eq!(exit(&output), 2, "{name}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(expected),
            "{name}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn a_run_that_a_mistake_has_ended_goes_on_once_it_is_mended() {
    let mut times = 0;
    let endpoint = Endpoint::start_with(move |request| {
        times += 1;
        match times {
            5 => Answer::status(402, "Insufficient credits"),
            _ => cook(request),
        }
    });
    let (bench, output) = play("mended", BENCH, &endpoint, &["--max-connections", "1"]);
    assert_eq!(exit(&output), 2, "{}", stderr(&output));
    let attempt = bench.folder.join("out/attempts");
    let log = std::fs::read_dir(attempt).unwrap().next().unwrap().unwrap();
    let log = std::fs::read_to_string(log.path()).unwrap();
    let end: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(end["reason"], "configuration");
    let output = bench.run("out", &["--base-url", &endpoint.base_url()]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
}

#[test]
fn what_a_filter_holds_back_is_an_outcome_of_its_own_and_final() {
    let refused =
        "The response was filtered due to the prompt triggering the content management policy.";
    for (name, answer) in [
        ("prompt", Answer::status(400, refused)),
        (
            "answer",
            finished("Reasoning: x\nAction: wait", "content_filter"),
        ),
    ] {
        let endpoint = Endpoint::start([answer]);
        let (bench, output) = play(name, BENCH, &endpoint, &[]);
        assert_eq!(exit(&output), 0, "{name}: {}", stderr(&output));
        let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
        let row = &summary["rows"][0];
        assert!(
            row["outcomes"]["filtered"].as_u64() > Some(0),
            "{name}: {row}"
        );
        assert_eq!(row["outcomes"]["unparseable"], 0, "{name}");
        for decision in decisions(&bench) {
            assert_eq!(decision["outcome"], "filtered", "{name}");
        }
        let asked = endpoint.requests().len();
        let output = bench.run("out", &["--base-url", &endpoint.base_url()]);
        assert_eq!(exit(&output), 0, "{name}: {}", stderr(&output));
        assert_eq!(
            endpoint.requests().len(),
            asked,
            "{name}: nothing is paid for again"
        );
        let table = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(table.contains("filtered"), "{table}");
        if name == "answer" {
            assert!(summary["spent"]["input"].as_u64() >= Some(10 * asked as u64));
        }
    }
}

#[test]
fn an_action_within_a_thought_is_none() {
    for (name, text, reason, outcome) in [
        (
            "cut",
            "<think>I could\nReasoning: x\nAction: wait\nbut",
            "length",
            "truncated",
        ),
        (
            "open",
            "<think>Reasoning: x\nAction: wait",
            "stop",
            "unparseable",
        ),
        (
            "half",
            "Reasoning: x\nAction: wait\n</think>\nno idea",
            "stop",
            "unparseable",
        ),
        (
            "channel",
            "<|channel|>analysis<|message|>Reasoning: x\nAction: wait",
            "length",
            "truncated",
        ),
    ] {
        let endpoint = Endpoint::start([finished(text, reason)]);
        for parse in ["strict", "lenient"] {
            let bench = BENCH.replace("timeout = 5", &format!("timeout = 5\nparse = \"{parse}\""));
            let (bench, output) = play(&format!("{name}-{parse}"), &bench, &endpoint, &[]);
            assert_eq!(exit(&output), 0, "{name}: {}", stderr(&output));
            for decision in decisions(&bench) {
                assert_eq!(decision["outcome"], outcome, "{name} {parse}: {decision}");
            }
        }
    }
}

#[test]
fn a_call_of_another_tool_is_no_action() {
    let arguments = json!({"reasoning": "x", "action": "light the stove"});
    let endpoint = Endpoint::start([Answer::tool_call("get_weather", &arguments)]);
    for parse in ["strict", "lenient"] {
        let text = BENCH.replace("action-format = \"text\"", "action-format = \"tool\"");
        let text = text.replace("timeout = 5", &format!("timeout = 5\nparse = \"{parse}\""));
        let (bench, output) = play(&format!("other-tool-{parse}"), &text, &endpoint, &[]);
        assert_eq!(exit(&output), 0, "{}", stderr(&output));
        for decision in decisions(&bench) {
            assert_eq!(decision["outcome"], "unparseable", "{decision}");
        }
        let log = bench.read("out/episodes/tea.react.mock.seed1.epoch1.jsonl");
        assert!(log.contains("another tool is called, `get_weather`"));
    }
}

#[test]
fn tokens_of_tries_that_came_to_nothing_are_in_the_log_and_the_sums() {
    let unread = json!({"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 1}});
    let endpoint = Endpoint::start([Answer::json(&unread)]);
    let text = BENCH.replace("[1, 2]", "[1]");
    let arguments = ["--retry-on-error", "0", "--max-connections", "1"];
    let (bench, output) = play("unread", &text, &endpoint, &arguments);
    assert_eq!(exit(&output), 1, "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["spent"]["input"], 7, "{summary}");
    let log = bench.lines("out/attempts/tea.react.mock.seed1.epoch1.1.jsonl");
    let call = log.iter().find(|event| event["event"] == "call").unwrap();
    assert_eq!(
        (&call["usage"]["input"], &call["tries"]),
        (&json!(7), &json!(1))
    );
}

/// `brigade run` with a model at this endpoint.
fn run(name: &str, endpoint: &Endpoint, arguments: &[&str]) -> Output {
    let bench = Bench::new(&format!("class-{name}"), BENCH);
    Command::new(env!("CARGO_BIN_EXE_brigade"))
        .current_dir(&bench.folder)
        .args(["run", "tea.pddl", "--others", "react", "--model", "mock"])
        .args([
            "--base-url",
            &endpoint.base_url(),
            "--action-format",
            "text",
        ])
        .args(arguments)
        .env_remove("OPENAI_API_KEY")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// A server that refuses what it does not know.
fn strict() -> Endpoint {
    Endpoint::start_with(|request| {
        let known = ["model", "messages"];
        let body = request.json();
        let unknown = body.as_object().unwrap().keys();
        let unknown = unknown
            .into_iter()
            .find(|key| !known.contains(&key.as_str()));
        match unknown {
            Some(key) => Answer::status(400, &format!("Unknown parameter: '{key}'")),
            None if request.method == "GET" => Answer::status(404, "no list"),
            None => cook(request),
        }
    })
}

#[test]
fn what_a_server_refuses_can_be_left_out() {
    let endpoint = strict();
    let refused = run("omit", &endpoint, &["--temperature", "0"]);
    assert_eq!(exit(&refused), 2, "{}", stderr(&refused));
    assert!(
        stderr(&refused).contains("--omit temperature"),
        "{}",
        stderr(&refused)
    );
    let given = ["--temperature", "0", "--omit", "seed,temperature"];
    let played = run("omit", &endpoint, &given);
    assert_eq!(exit(&played), 0, "{}", stderr(&played));
    let keys = "[models.mock]\ntemperature = 0.0\nomit = [\"seed\", \"temperature\"]";
    let text = BENCH.replace("[models.mock]", keys);
    let (bench, output) = play("omit", &text, &endpoint, &["--cassette", "record"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let output = bench.run("replayed", &["--cassette", "replay"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let text = BENCH.replace("[models.mock]", "[models.mock]\nomit = [\"messages\"]");
    let (_, output) = play("omit-messages", &text, &endpoint, &[]);
    assert_eq!(exit(&output), 2, "{}", stderr(&output));
}

#[test]
fn doctor_says_which_option_leaves_out_what_is_refused() {
    let refuses = |field: &'static str| {
        Endpoint::start_with(move |request| {
            let body = request.json();
            match body.get(field) {
                Some(_) => Answer::status(400, &format!("Unknown parameter: '{field}'")),
                None => Answer::text("hello"),
            }
        })
    };
    let doctor = |endpoint: &Endpoint, arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_brigade"))
            .args([
                "doctor",
                "--model",
                "mock",
                "--base-url",
                &endpoint.base_url(),
            ])
            .args(arguments)
            .env_remove("OPENAI_API_KEY")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        (exit(&output), shown)
    };
    let endpoint = refuses("seed");
    let (code, shown) = doctor(&endpoint, &[]);
    assert_eq!(code, 0);
    assert!(
        shown.contains("help: leave it out: `--omit seed`"),
        "{shown}"
    );
    let endpoint = refuses("max_tokens");
    let (code, shown) = doctor(&endpoint, &[]);
    assert_eq!(code, 1);
    assert!(
        shown.contains("help: leave it out: `--omit max_tokens`"),
        "{shown}"
    );
    let (code, shown) = doctor(&endpoint, &["--omit", "max_tokens"]);
    assert_eq!(code, 0, "{shown}");
}

#[test]
fn an_agent_waits_where_its_answer_was_filtered_and_learns_of_no_fault() {
    let mut times = 0;
    let endpoint = Endpoint::start_with(move |request| {
        times += 1;
        match times {
            1 => finished("", "content_filter"),
            _ => cook(request),
        }
    });
    let text = BENCH.replace("[1, 2]", "[1]");
    let (bench, output) = play(
        "one-filtered",
        &text,
        &endpoint,
        &["--max-connections", "1"],
    );
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let decisions = decisions(&bench);
    assert_eq!(decisions[0]["outcome"], "filtered", "{decisions:?}");
    assert_eq!(decisions[0]["attempts"], 1);
    let log = bench.read("out/episodes/tea.react.mock.seed1.epoch1.jsonl");
    assert!(!log.contains("could not be used"));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["rows"][0]["outcomes"]["filtered"], 1);
}
