//! `brigade run` with agents that ask a model: one episode, with its log and its cassette.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use brigade::episode::{Event, Log};
use serde_json::Value;

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint};

/// `brigade run tea.pddl` in a folder.
fn command(bench: &Bench, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brigade"));
    command
        .current_dir(&bench.folder)
        .args(["run", "tea.pddl"])
        .args(arguments)
        .env_remove("OPENAI_API_KEY")
        .stdin(Stdio::null());
    command
}

fn run(bench: &Bench, arguments: &[&str]) -> Output {
    command(bench, arguments).output().unwrap()
}

/// A folder with the problem of [`BENCH`].
fn folder(name: &str) -> Bench {
    Bench::new(&format!("run-{name}"), BENCH)
}

fn log(bench: &Bench, name: &str) -> Log {
    Log::parse(&bench.read(name)).unwrap()
}

/// Returns the agents that were asked, in order.
fn asked(log: &Log) -> Vec<String> {
    let calls = log.events.iter().filter_map(|event| match event {
        Event::Call(call) => Some(format!("{} {}", call.tick, call.agent)),
        _ => None,
    });
    calls.collect()
}

const TEXT: [&str; 4] = ["--model", "mock", "--action-format", "text"];

#[test]
fn one_agent_asks_a_model_and_the_other_does_not() {
    let endpoint = Endpoint::start_with(cook);
    let bench = folder("mixed");
    let url = endpoint.base_url();
    let mine = [
        "--base-url",
        &url,
        "--agent",
        "ann=react",
        "--log",
        "log.jsonl",
    ];
    let output = run(
        &bench,
        &[&TEXT[..], &mine[..], &["--others", "random"][..]].concat(),
    );
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("the goal is reached: 3 ticks"), "{shown}");
    let log = log(&bench, "log.jsonl");
    let players = log
        .header
        .agents
        .iter()
        .map(|player| player.policy.as_str());
    assert_eq!(players.collect::<Vec<_>>(), ["react@mock", "random"]);
    assert_eq!(asked(&log), ["0 ann", "1 ann", "2 ann"]);
    assert_eq!(endpoint.requests().len(), 3);
}

#[test]
fn a_design_is_a_name_or_a_file_and_what_is_neither_is_named() {
    let endpoint = Endpoint::start_with(cook);
    let bench = folder("file");
    let design = brigade::llm::bundled::design("react").unwrap();
    fs::write(bench.folder.join("mine.toml"), design).unwrap();
    let url = endpoint.base_url();
    let with = |agents: &str| {
        let arguments = [
            "--base-url",
            &url,
            "--others",
            agents,
            "--log",
            "log.jsonl",
            "--force",
        ];
        run(&bench, &[&TEXT[..], &arguments[..]].concat())
    };
    let output = with("mine.toml");
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert_eq!(
        log(&bench, "log.jsonl").header.agents[1].policy,
        "mine.toml@mock"
    );
    let output = with("reakt");
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("did you mean `react`?"),
        "{}",
        stderr(&output)
    );
    let output = with("other.toml");
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("other.toml: no such file"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_episode_is_recorded_and_replayed_without_a_server() {
    let endpoint = Endpoint::start_with(cook);
    let bench = folder("cassette");
    let url = endpoint.base_url();
    let cassette = |mode: &'static str, log: &'static str| {
        let more = [
            "--others",
            "react",
            "--cassette-file",
            "tape.jsonl",
            "--seed",
            "7",
        ];
        let mode = ["--cassette", mode, "--log", log];
        [&TEXT[..], &more[..], &mode[..]].concat()
    };
    let recorded = cassette("record", "recorded.jsonl");
    let output = run(&bench, &[&recorded[..], &["--base-url", &url][..]].concat());
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let requests = endpoint.requests().len();
    drop(endpoint);
    let output = run(&bench, &cassette("replay", "replayed.jsonl"));
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert_eq!(bench.read("recorded.jsonl"), bench.read("replayed.jsonl"));
    assert_eq!(bench.read("tape.jsonl").lines().count(), requests);
}

#[test]
fn an_outage_is_reported_logged_and_no_success() {
    let bench = folder("outage");
    let mut times = 0;
    let endpoint = Endpoint::start_with(move |request| {
        times += 1;
        match times {
            1 => cook(request),
            _ => Answer::large(10_000_000),
        }
    });
    let url = endpoint.base_url();
    let arguments = [
        "--base-url",
        &url,
        "--others",
        "react",
        "--log",
        "log.jsonl",
    ];
    let output = run(&bench, &[&TEXT[..], &arguments[..]].concat());
    assert_eq!(exit(&output), 1, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(
        said.contains("an outage has cut the episode short"),
        "{said}"
    );
    assert!(said.contains("larger than 4 MiB"), "{said}");
    let log = log(&bench, "log.jsonl");
    assert_eq!(
        log.end().unwrap().reason.words(),
        "what a policy depends on is out of order"
    );
    assert_eq!(asked(&log), ["0 ann", "0 bob"]);
}

#[test]
fn limits_of_tokens_end_an_episode_as_other_limits_do() {
    let bench = folder("budget");
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let arguments = [
        "--base-url",
        &url,
        "--others",
        "react",
        "--token-limit",
        "20",
    ];
    let output = run(&bench, &[&TEXT[..], &arguments[..]].concat());
    assert_eq!(exit(&output), 3, "{}", stderr(&output));
    assert!(
        stderr(&output).contains("30 tokens were used"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_is_missing_or_cannot_be_is_said_before_anything_is_asked() {
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let bench = folder("refused");
    let shows = "name = \"x\"\nabout = \"\"\ninstructions = { template = \"instructions.jinja\" }\n\
                 reasoner = { template = \"step.jinja\" }\ndemonstration = { problem = \"a.pddl\" }\n";
    fs::write(bench.folder.join("shows.toml"), shows).unwrap();
    fs::write(bench.folder.join("log.jsonl"), "").unwrap();
    for (arguments, expected) in [
        (&["--others", "react"][..], "`--model NAME`"),
        (&["--others", "react", "--model", "m"], "`--base-url URL`"),
        (
            &["--others", "react", "--model", "m", "--base-url", "nowhere"],
            "base-url",
        ),
        (
            &[
                "--agent",
                "ann=dispatcher",
                "--others",
                "react",
                "--action-format",
                "text",
                "--model",
                "m",
                "--base-url",
                &url,
            ],
            "every agent",
        ),
        (
            &[
                "--others",
                "react",
                "--temperature",
                "-1",
                "--base-url",
                &url,
                "--model",
                "m",
            ],
            "`temperature`",
        ),
        (
            &["--others", "react", "--cassette", "replay"],
            "--cassette-file",
        ),
        (
            &["--others", "react", "--resume", "--log", "log.jsonl"],
            "`--force`",
        ),
        (
            &["--others", "shows.toml", "--model", "m", "--base-url", &url],
            "`brigade bench`",
        ),
    ] {
        let output = run(&bench, arguments);
        let said = stderr(&output);
        assert!([1, 2].contains(&exit(&output)), "{arguments:?}: {said}");
        assert!(said.contains(expected), "{arguments:?}: {said}");
    }
    assert_eq!(endpoint.requests().len(), 0);
}

#[test]
fn what_was_answered_before_a_run_is_killed_is_in_its_log() {
    let bench = folder("killed");
    let mut times = 0;
    let endpoint = Endpoint::start_with(move |request| {
        times += 1;
        match times {
            1 => cook(request),
            _ => Answer::hang(),
        }
    });
    let url = endpoint.base_url();
    let arguments = [
        "--base-url",
        &url,
        "--others",
        "react",
        "--log",
        "log.jsonl",
    ];
    let mut child = command(&bench, &[&TEXT[..], &arguments[..]].concat());
    child.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = child.spawn().unwrap();
    // Ann has been answered, and Bob waits in the same timestep.
    while endpoint.requests().len() < 2 && child.try_wait().unwrap().is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(asked(&log(&bench, "log.jsonl")), ["0 ann"]);
}

#[test]
fn the_result_says_who_asked_which_model() {
    let endpoint = Endpoint::start_with(cook);
    let bench = folder("json");
    let url = endpoint.base_url();
    let arguments = ["--base-url", &url, "--others", "react", "--format", "json"];
    let output = run(&bench, &[&TEXT[..], &arguments[..]].concat());
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["reason"], "goal");
    assert_eq!(document["agents"][0]["policy"], "react@mock");
}

#[test]
fn a_person_takes_part_in_a_conversation_of_agents_that_ask_models() {
    let script = [
        "Reasoning: hm\nPlan: wait\nSay: Who lights it?",
        "Reasoning: hm\nPlan: wait\nSay: Then do.",
        "Reasoning: hm\nPlan: wait\nSay: [NOTHING]",
    ];
    let endpoint = Endpoint::start(script.map(Answer::text));
    let bench = folder("person-talks");
    let url = endpoint.base_url();
    let options = [
        "--agent",
        "ann=collab",
        "--agent",
        "bob=human",
        "--base-url",
        &url,
    ];
    let rules = ["--log", "log.jsonl", "--max-ticks", "2"];
    let mut child = command(&bench, &[&options[..], &TEXT, &rules].concat())
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // Without a command, what is typed in a conversation is said; the first action there says nothing more.
    let typed = "I light it\n1\nlight the stove\nwait\n";
    child
        .stdin
        .take()
        .unwrap()
        .write_all(typed.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let text = stderr(&output);
    assert!(text.contains("the others talk with you"), "{text}");
    assert!(text.contains("ann: \"Who lights it?\""), "{text}");
    let asked = endpoint.requests();
    let second = asked[1].json()["messages"].to_string();
    assert!(
        second.contains("ann: Who lights it?\\nbob: I light it"),
        "{second}"
    );
    let log = log(&bench, "log.jsonl");
    let events = log.events.iter();
    let said = events.clone().filter_map(|event| match event {
        Event::Message(said) => Some(format!("{} {}: {}", said.tick, said.agent, said.text)),
        _ => None,
    });
    let said: Vec<String> = said.collect();
    assert_eq!(
        said,
        [
            "0 ann: Who lights it?",
            "0 bob: I light it",
            "0 ann: Then do."
        ]
    );
    let calls = events.clone().filter_map(|event| match event {
        Event::Call(call) if call.model == "human" => Some((&*call.module, call.answer.as_deref())),
        _ => None,
    });
    let wanted = [
        ("communicator", Some("I light it")),
        ("communicator", Some("")),
        ("person", Some("light the stove")),
        ("person", Some("wait")),
    ];
    assert_eq!(calls.collect::<Vec<_>>(), wanted);
    let lit = log.steps().next().unwrap();
    assert!(
        lit.choices
            .iter()
            .any(|choice| choice.action == "light bob"),
        "{lit:?}"
    );
}
