//! Whatever an endpoint does, `brigade bench` ends, says why, and asks no more than it may.

use std::net::TcpListener;
use std::time::Duration;

use serde_json::{Value, json};

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint};

/// The two episodes of [`BENCH`] that ask a model, one after another and each once.
const ONCE: [&str; 6] = [
    "--max-connections",
    "1",
    "--retry-on-error",
    "0",
    "--format",
    "json",
];

/// Checks that both episodes that ask a model were cut short for this reason, with the exit code that
/// says so, and that the others were played.
fn check_outage(name: &str, bench: &Bench, url: &str, expected: &str) {
    let output = bench.run("out", &[&["--base-url", url], &ONCE[..]].concat());
    assert_eq!(exit(&output), 1, "{name}: {}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["finished"], 2, "{name}: {summary}");
    assert_eq!(summary["rows"][0]["setup"], "planner", "{name}: {summary}");
    let unfinished = summary["unfinished"].as_array().unwrap();
    assert_eq!(unfinished.len(), 2, "{name}: {summary}");
    for episode in unfinished {
        let reason = episode["reason"].as_str().unwrap();
        assert!(reason.contains(expected), "{name}: {reason}");
        let id = episode["id"].as_str().unwrap();
        let log = bench.lines(&format!("out/attempts/{id}.1.jsonl"));
        let decision = log.iter().find(|event| event["event"] == "decision");
        assert_eq!(decision.unwrap()["outcome"], "infra_error", "{name}");
        let end = log.last().unwrap();
        assert_eq!(end["reason"], "infrastructure", "{name}");
        assert_eq!(end["detail"].as_str(), Some(reason), "{name}");
    }
}

#[test]
fn an_endpoint_that_is_down_before_it_is_known_what_it_can_do_is_a_negative_answer() {
    let text = BENCH.replace("action-format = \"text\"\n", "");
    let bench = Bench::new("format-outage", &text);
    let endpoint = Endpoint::start([Answer::status(503, "loading")]);
    let output = bench.run("out", &["--base-url", &endpoint.base_url()]);
    assert_eq!(exit(&output), 1, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(
        said.contains("loading") && said.contains("`action-format`"),
        "{said}"
    );
}

#[test]
fn an_endpoint_that_gives_no_answer_cuts_episodes_short_with_its_reason() {
    for (name, answer, expected) in [
        (
            "upstream",
            Answer::json(&json!({"choices": [{
                "message": {"content": ""}, "finish_reason": "error",
                "error": {"code": 502, "message": "Upstream provider died"},
            }]})),
            "the server fails (502): Upstream provider died",
        ),
        (
            "down",
            Answer::status(503, "loading"),
            "the server fails (503): loading",
        ),
        ("html", Answer::html(), "HTML"),
        ("nothing", Answer::body(""), "the answer is empty"),
        (
            "half-json",
            Answer::body("{\"choices\": ["),
            "the answer is cut off",
        ),
        (
            "no-message",
            Answer::json(&json!({})),
            "the answer holds no message",
        ),
        (
            "cut",
            Answer::text("Action: wait").cut(20),
            "closed the connection before its answer was whole",
        ),
        (
            "vanish",
            Answer::vanish(),
            "closed the connection before its answer was whole",
        ),
        (
            "large",
            Answer::large(10_000_000),
            "the answer is larger than 4 MiB",
        ),
    ] {
        let endpoint = Endpoint::start([answer]);
        let bench = Bench::new(&format!("outage-{name}"), BENCH);
        check_outage(name, &bench, &endpoint.base_url(), expected);
        assert_eq!(endpoint.requests().len(), 2, "{name}");
    }
}

#[test]
fn a_question_that_is_longer_than_the_model_can_read_ends_an_episode_that_counts() {
    for (name, message) in [
        (
            "llama",
            "the request exceeds the available context size, try increasing it",
        ),
        (
            "openai",
            "This model's maximum context length is 4097 tokens.",
        ),
        (
            "gemini",
            "The input token count exceeds the maximum number of tokens allowed",
        ),
    ] {
        let endpoint = Endpoint::start([Answer::status(400, message)]);
        let bench = Bench::new(&format!("context-{name}"), BENCH);
        let url = endpoint.base_url();
        let output = bench.run("out", &["--base-url", &url, "--format", "json"]);
        assert_eq!(exit(&output), 0, "{name}: {}", stderr(&output));
        let first = &bench.lines("out/index.jsonl")[0];
        assert_eq!(first["reason"], "gave-up", "{name}");
        assert_eq!(first["success"], false);
        assert_eq!(first["outcomes"]["truncated"], 1);
        let detail = first["detail"].as_str().unwrap();
        assert!(detail.contains("more than its model can read"), "{detail}");
        assert_eq!(endpoint.requests().len(), 2, "{name}: one for each episode");
    }
}

#[test]
fn an_endpoint_that_nobody_listens_at_cuts_episodes_short() {
    let free = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let bench = Bench::new("outage-dead", BENCH);
    let url = format!("http://{free}/v1");
    check_outage(
        "dead",
        &bench,
        &url,
        "is the server running, is the port right?",
    );
}

#[test]
fn an_endpoint_that_hangs_cuts_episodes_short() {
    let endpoint = Endpoint::start([Answer::hang()]);
    let text = BENCH.replace("timeout = 5", "timeout = 1");
    let bench = Bench::new("outage-hangs", &text.replace("[1, 2]", "[1]"));
    let output = bench.run(
        "out",
        &[&["--base-url", &endpoint.base_url()[..]], &ONCE[..]].concat(),
    );
    assert_eq!(exit(&output), 1, "{}", stderr(&output));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("no answer within 1 s"), "{shown}");
    assert_eq!(endpoint.requests().len(), 1);
}

#[test]
fn a_question_is_put_again_as_often_as_it_may_be_and_so_is_an_episode() {
    let endpoint = Endpoint::start([Answer::status(500, "oops")]);
    let text = BENCH.replace("max-retries = 0", "max-retries = 1");
    let bench = Bench::new("again", &text.replace("[1, 2]", "[1]"));
    let output = bench.run(
        "out",
        &["--base-url", &endpoint.base_url(), "--retry-on-error", "1"],
    );
    assert_eq!(exit(&output), 1, "{}", stderr(&output));
    assert_eq!(endpoint.requests().len(), 2 * 2);
}

#[test]
fn a_run_without_any_answer_is_left_before_all_episodes_were_tried() {
    let endpoint = Endpoint::start([Answer::status(503, "loading")]);
    let text = BENCH.replace("seeds", "epochs = 20\nseeds");
    let bench = Bench::new("outage-all", &text);
    let output = bench.run(
        "out",
        &[&["--base-url", &endpoint.base_url()[..]], &ONCE[..]].concat(),
    );
    assert_eq!(exit(&output), 1, "{}", stderr(&output));
    let expected = "10 episodes in a row were cut short by an outage";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    assert_eq!(endpoint.requests().len(), 10);
    drop(endpoint);
    let working = Endpoint::start_with(cook);
    let output = bench.run("out", &["--base-url", &working.base_url()]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
}

/// Returns the log of the first episode with a model that always answers so.
fn first_log(name: &str, text: &str, answer: Answer) -> Vec<Value> {
    let endpoint = Endpoint::start([answer]);
    let bench = Bench::new(&format!("plays-{name}"), text);
    let output = bench.run(
        "out",
        &[&["--base-url", &endpoint.base_url()[..]], &ONCE[..]].concat(),
    );
    assert_eq!(exit(&output), 0, "{name}: {}", stderr(&output));
    let log = bench.lines("out/episodes/tea.react.mock.seed1.epoch1.jsonl");
    let calls = log.iter().filter(|event| event["event"] == "call").count();
    assert_eq!(2 * calls, endpoint.requests().len(), "{name}");
    // Two agents, a first answer and at most five corrections each, in at most six timesteps.
    assert!(calls <= 2 * 6 * 6, "{name}: {calls}");
    log
}

#[test]
fn an_answer_without_a_legal_action_is_a_failure_of_the_model_and_recorded_as_such() {
    let long = format!("{} Action: fly", "word ".repeat(600_000));
    let cut = json!({
        "choices": [{"message": {"content": "Reasoning: first I"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 10, "completion_tokens": 5},
    });
    for (name, answer, outcome) in [
        ("garbage", Answer::text("§%&/ \u{0} 🍅"), "unparseable"),
        ("empty", Answer::text(""), "unparseable"),
        (
            "french",
            Answer::text("Je ne sais pas encore quoi faire."),
            "unparseable",
        ),
        ("chinese", Answer::text("操作：点燃炉子"), "unparseable"),
        ("long", Answer::text(&long), "unparseable"),
        (
            "unknown",
            Answer::text("Reasoning: up\nAction: fly to the moon"),
            "illegal_action",
        ),
        (
            "never-legal",
            Answer::text("Reasoning: now\nAction: pour the tea"),
            "illegal_action",
        ),
        ("cut", Answer::json(&cut), "truncated"),
    ] {
        let log = first_log(name, BENCH, answer);
        let decisions: Vec<&Value> = log
            .iter()
            .filter(|event| event["event"] == "decision")
            .collect();
        assert!(!decisions.is_empty(), "{name}");
        for decision in decisions {
            assert_eq!(decision["outcome"], outcome, "{name}: {decision}");
        }
        assert_eq!(log.last().unwrap()["reason"], "gave-up", "{name}");
    }
}

#[test]
fn a_model_that_always_wants_to_talk_does_not_talk_for_ever() {
    let text = BENCH.replace("agents = \"react\"", "agents = \"collab\"");
    let talk = "Reasoning: let us talk\nPlan: request(light the stove)\nSay: What do you think?";
    let log = first_log("talk", &text, Answer::text(talk));
    let last = log.last().unwrap();
    assert_eq!(last["event"], "end", "{last}");
    assert_ne!(last["reason"], "goal");
    assert!(log.iter().any(|event| event["event"] == "message"));
}

#[test]
fn an_answer_that_comes_late_is_waited_for() {
    let endpoint = Endpoint::start_with(|request| cook(request).after(Duration::from_millis(20)));
    let bench = Bench::new("late", BENCH);
    let output = bench.run("out", &["--base-url", &endpoint.base_url()]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
}
