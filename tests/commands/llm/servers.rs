//! The wants of servers beside those that all of them share: further fields, another name for a field, headers.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use brigade::llm::addressee::{Addressee, MaxTokensField};
use brigade::llm::chat::{Chat, Take};
use brigade::llm::http::ExtraHeader;
use serde_json::{Value, json};

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint};
use crate::llm::{chat, options, question};

const SECRET: &str = "s3cret-0123456789/abcdef";

#[test]
fn further_fields_are_part_of_the_body_that_is_sent_and_logged() {
    let endpoint = Endpoint::start([Answer::text("wait()")]);
    let mut options = options(&endpoint);
    let extra = json!({"reasoning_effort": "low", "provider": {"order": ["a", "b"]}});
    options.addressee = Addressee::new("mock")
        .with_max_tokens_field(MaxTokensField::MaxCompletionTokens)
        .with_extra_body(extra.as_object().unwrap().clone())
        .unwrap();
    let chat = chat(options);
    let mut question = question("What now?");
    question.sampling.max_tokens = Some(64);
    chat.complete(&question, Take::default()).unwrap();
    let sent = &endpoint.requests()[0];
    assert_eq!(
        sent.json(),
        json!({
            "model": "mock", "messages": [{"role": "user", "content": "What now?"}],
            "max_completion_tokens": 64,
            "reasoning_effort": "low", "provider": {"order": ["a", "b"]},
        })
    );
    assert_eq!(sent.body, chat.body(&question).to_string());
}

#[test]
fn headers_are_sent_with_every_request_and_their_values_shown_nowhere() {
    let wrong = format!("wrong key {SECRET}");
    for answer in [
        Answer::text(&wrong),
        Answer::status(401, &wrong),
        Answer::body(format!("<html>{SECRET}</html>")),
    ] {
        let endpoint = Endpoint::start([answer]);
        let mut options = options(&endpoint);
        options.headers = vec![ExtraHeader::new("X-Api-Key", SECRET).unwrap()];
        assert!(!format!("{options:?}").contains("s3cret"));
        let chat = chat(options);
        let models = format!("{:?}", chat.models());
        let answer = format!(
            "{:?}",
            chat.complete(&question("What now?"), Take::default())
        );
        assert!(!models.contains("s3cret"), "{models}");
        assert!(!answer.contains("s3cret"), "{answer}");
        for request in endpoint.requests() {
            assert_eq!(request.header("x-api-key"), Some(SECRET));
            assert!(!request.body.contains("s3cret"));
        }
    }
}

fn with(keys: &str) -> String {
    BENCH.replace("[models.mock]", &format!("[models.mock]\n{keys}"))
}

#[test]
fn what_a_bench_file_says_of_a_model_is_sent_logged_and_part_of_the_evaluation() {
    let endpoint = Endpoint::start_with(cook);
    let keys = "max-tokens = 64\nmax-tokens-field = \"max_completion_tokens\"\n\
                extra-body = { reasoning_effort = \"low\", top_k = 40 }";
    let bench = Bench::new("extra-body", &with(keys));
    let url = endpoint.base_url();
    let arguments = ["--base-url", &url, "--cassette", "record"];
    let output = bench.run("out", &arguments);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    for request in endpoint.requests() {
        let body = request.json();
        assert_eq!(body["max_completion_tokens"], 64);
        assert_eq!(body["max_tokens"], Value::Null);
        assert_eq!(
            (&body["reasoning_effort"], &body["top_k"]),
            (&json!("low"), &json!(40))
        );
    }
    let log = bench.lines("out/episodes/tea.react.mock.seed1.epoch1.jsonl");
    assert_eq!(log[1]["request"]["reasoning_effort"], "low");
    let header: Value = serde_json::from_str(&bench.read("out/header.json")).unwrap();
    assert_eq!(header["models"]["mock"]["extra-body"]["top_k"], 40);
    // It can be replayed, and is not taken for what was asked otherwise.
    let replay = |log_dir: &str| bench.run(log_dir, &["--cassette", "replay"]);
    assert_eq!(exit(&replay("replayed")), 0);
    fs::write(
        bench.folder.join("bench.toml"),
        with(&keys.replace("low", "high")),
    )
    .unwrap();
    let output = replay("other");
    assert_eq!(exit(&output), 1);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let expected = "`reasoning_effort` is \"high\", on the cassette \"low\"";
    assert!(shown.contains(expected), "{shown}");
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 2);
    let expected = "`extra-body.reasoning_effort` of model `mock` was \"low\", and is now \"high\"";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
}

/// All that a run has printed and written.
fn left(output: &Output, folder: &Path) -> String {
    let mut text = stderr(output) + &String::from_utf8_lossy(&output.stdout);
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            for entry in fs::read_dir(path).unwrap() {
                text += &fs::read_to_string(entry.unwrap().path()).unwrap();
            }
        } else {
            text += &fs::read_to_string(path).unwrap();
        }
    }
    text
}

#[test]
fn keys_and_headers_of_a_bench_file_come_from_the_environment_and_are_left_nowhere() {
    let keys = "api-key-env = \"KITCHEN_KEY\"\nheader-env = { X-Team = \"KITCHEN_TEAM\" }";
    let bench = Bench::new("header-env", &with(keys));
    let mut times = 0;
    let endpoint = Endpoint::start_with(move |request| {
        times += 1;
        match times {
            1 => Answer::text(&format!("you are {SECRET}, with sk-live-0123456789")),
            20.. => Answer::status(403, &format!("{SECRET} is not allowed")),
            _ => cook(request),
        }
    });
    let url = endpoint.base_url();
    let mut command = bench.command("out", &["--base-url", &url, "--cassette", "record"]);
    command
        .env("KITCHEN_KEY", "sk-live-0123456789")
        .env("KITCHEN_TEAM", SECRET);
    let output = command.output().unwrap();
    for request in endpoint.requests() {
        assert_eq!(
            request.header("authorization"),
            Some("Bearer sk-live-0123456789")
        );
        assert_eq!(request.header("x-team"), Some(SECRET));
    }
    let left = left(&output, &bench.folder.join("out")) + &bench.read("bench.cassette.jsonl");
    assert!(left.contains("you are [key], with [key]"));
    assert!(
        !left.contains("s3cret") && !left.contains("sk-live"),
        "{left}"
    );
    // Where it comes from may change, as the server may.
    fs::write(bench.folder.join("bench.toml"), BENCH).unwrap();
    let output = bench.run("out", &["--base-url", &url]);
    assert!(!stderr(&output).contains("differs"), "{}", stderr(&output));
}

#[test]
fn a_key_in_the_wrong_place_is_refused_and_not_repeated() {
    for (index, keys) in [
        "api-key = \"sk-live-1\"",
        "api_key_env = \"sk-live-1\"",
        "api-key-env = \"sk-live-1\"",
        "api-key-env = \"OPENAI_API_KEY",
        "authorization = \"Bearer sk-live-1\"",
        "header-env = { X-Key = \"sk-live-1\" }",
        "header-env = { X-Key = \"NO_SUCH_VARIABLE\" }",
        "header-env = { Authorization = \"HOME\" }",
        "header-env = { Host = \"HOME\" }",
        "extra-body = { messages = [] }",
        "extra-body = { stream = true }",
        "max-tokens-field = \"most\"",
    ]
    .iter()
    .enumerate()
    {
        let bench = Bench::new(&format!("misplaced{index}"), &with(keys));
        let output = bench.run("out", &["--base-url", "http://127.0.0.1:9/v1"]);
        assert_eq!(exit(&output), 2, "{keys}: {}", stderr(&output));
        let left = left(&output, &bench.folder.join("out"));
        assert!(!left.contains("sk-live"), "{keys}: {left}");
    }
}

fn doctor(endpoint: &Endpoint, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brigade"));
    command
        .args([
            "doctor",
            "--base-url",
            &endpoint.base_url(),
            "--model",
            "mock",
        ])
        .args(arguments)
        .env("KITCHEN_TEAM", SECRET)
        .env_remove("OPENAI_API_KEY")
        .stdin(Stdio::null());
    command.output().unwrap()
}

#[test]
fn doctor_asks_as_the_server_wants_it() {
    let endpoint = Endpoint::start([Answer::text("hello")]);
    let output = doctor(
        &endpoint,
        &[
            "--header-env",
            "X-Team=KITCHEN_TEAM",
            "--max-tokens-field",
            "max_completion_tokens",
            "--extra-body",
            "{\"reasoning_effort\": \"low\"}",
        ],
    );
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let requests = endpoint.requests();
    let (listed, asked) = requests.split_first().unwrap();
    assert_eq!(listed.header("x-team"), Some(SECRET));
    for request in asked {
        let body = request.json();
        assert_eq!(request.header("x-team"), Some(SECRET));
        assert_eq!(body["reasoning_effort"], "low");
        assert_eq!(body["max_tokens"], Value::Null);
        assert!(body["max_completion_tokens"].is_u64());
    }
}

#[test]
fn doctor_refuses_what_makes_no_sense_and_repeats_no_key() {
    let endpoint = Endpoint::start([Answer::text("hello")]);
    for (arguments, expected) in [
        (["--extra-body", "{\"stream\": true}"], "one answer is read"),
        (["--extra-body", "[1]"], "not a JSON object"),
        (["--header-env", "X-Team: sk-live-1"], "NAME=VARIABLE"),
        (
            ["--header-env", "X-Team=sk-live-1"],
            "not the name of an environment variable",
        ),
        (
            ["--header-env", "X-Team=NO_SUCH_VARIABLE"],
            "`NO_SUCH_VARIABLE`",
        ),
        (
            ["--api-key-env", "sk-live-1"],
            "not the name of an environment variable",
        ),
        (["--max-tokens-field", "most"], "max_completion_tokens"),
    ] {
        let output = doctor(&endpoint, &arguments);
        assert_eq!(exit(&output), 2, "{}", stderr(&output));
        let said = stderr(&output);
        assert!(
            said.contains(expected) && !said.contains("sk-live"),
            "{said}"
        );
    }
    assert_eq!(endpoint.requests().len(), 0);
}
