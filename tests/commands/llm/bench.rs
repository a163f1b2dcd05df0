//! `brigade bench` against a scripted endpoint: what is asked, what is kept, how a run goes on.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::llm::endpoint::{Answer, Endpoint, Request};

const DOMAIN: &str = r#"
(define (domain tea)
  (:requirements :typing :multi-agent :delayed-effects :negative-preconditions :text)
  (:types cook)
  (:turns simultaneous)
  (:predicates (lit :text "the stove is lit") (hot :text "the water is hot")
               (poured :text "the tea is poured"))
  (:action light :agent ?c - cook
    :precondition (else "the stove is lit already" (not (lit)))
    :effect (and (lit) (after 2 (hot)))
    :label "light()" :text "light the stove")
  (:action pour :agent ?c - cook
    :precondition (else "the water is cold" (hot))
    :effect (poured)
    :label "pour()" :text "pour the tea"))"#;

const PROBLEM: &str = r#"
(define (problem tea-for-two) (:domain tea) (:objects ann bob - cook)
  (:goal (poured) :text "Pour the tea"))"#;

pub(crate) const BENCH: &str = r#"
seeds = [1, 2]
max-ticks = 6

[models.mock]
action-format = "text"
max-retries = 0
timeout = 5

[[problems]]
path = "tea.pddl"

[[setups]]
name = "react"
agents = "react"

[[setups]]
name = "planner"
agents = "planner"
"#;

/// A folder with a bench file, its problem and its domain.
pub(crate) struct Bench {
    pub(crate) folder: PathBuf,
}

impl Bench {
    pub(crate) fn new(name: &str, text: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("bench-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        for (file, text) in [
            ("tea-domain.pddl", DOMAIN),
            ("tea.pddl", PROBLEM),
            ("bench.toml", text),
        ] {
            fs::write(folder.join(file), text).unwrap();
        }
        Self { folder }
    }

    pub(crate) fn command(&self, log_dir: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_brigade"));
        command
            .current_dir(&self.folder)
            .args(["bench", "bench.toml", "--log-dir", log_dir])
            .args(arguments)
            .env_remove("OPENAI_API_KEY")
            .stdin(Stdio::null());
        command
    }

    pub(crate) fn run(&self, log_dir: &str, arguments: &[&str]) -> Output {
        self.command(log_dir, arguments).output().unwrap()
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.folder.join(file)).unwrap()
    }

    /// The lines of a log, or of the index.
    pub(crate) fn lines(&self, file: &str) -> Vec<Value> {
        let text = self.read(file);
        text.lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    }

    /// See [`files`].
    pub(crate) fn files(&self, log_dir: &str) -> Vec<(String, String)> {
        files(&self.folder.join(log_dir))
    }
}

/// All files of a folder of logs but those that depend on time and on what was paid for, with what
/// they hold.
pub(crate) fn files(log_dir: &Path) -> Vec<(String, String)> {
    let mut files = Vec::new();
    for folder in ["", "episodes", "attempts"] {
        for entry in fs::read_dir(log_dir.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            let of_time = ["times.jsonl", "latencies.jsonl", "spending.json"];
            let differs = of_time.iter().any(|name| path.ends_with(name));
            if path.is_file() && !differs {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                files.push((name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    files.sort();
    files
}

/// A cook who lights the stove, waits, and pours as soon as that is possible.
pub(crate) fn cook(request: &Request) -> Answer {
    let body = request.json();
    let messages = body["messages"].as_array().unwrap();
    let prompt = messages.last().unwrap()["content"].as_str().unwrap();
    let can = |action: &str| prompt.lines().any(|line| line == action);
    let action = ["pour the tea", "light the stove", "wait"]
        .into_iter()
        .find(|action| can(action));
    Answer::text(&format!("Reasoning: next\nAction: {}", action.unwrap()))
}

pub(crate) fn exit(output: &Output) -> i32 {
    output.status.code().unwrap_or(-1)
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn every_episode_has_a_log_and_a_line_of_the_index() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("logs", BENCH);
    let output = bench.run(
        "out",
        &["--base-url", &endpoint.base_url(), "--format", "json"],
    );
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let index = bench.lines("out/index.jsonl");
    let ids: Vec<&str> = index
        .iter()
        .map(|line| line["id"].as_str().unwrap())
        .collect();
    assert_eq!(
        ids,
        [
            "tea.react.mock.seed1.epoch1",
            "tea.react.mock.seed2.epoch1",
            "tea.planner.none.seed1.epoch1",
            "tea.planner.none.seed2.epoch1",
        ]
    );
    for line in &index {
        assert_eq!(line["success"], true, "{line}");
        let log = bench.lines(&format!(
            "out/episodes/{}.jsonl",
            line["id"].as_str().unwrap()
        ));
        assert_eq!(log[0]["event"], "header");
        assert_eq!(log.last().unwrap()["reason"], "goal");
    }
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["rows"][0]["success_rate"], 1.0);
    let calls = endpoint.requests().len() as u64;
    assert_eq!(summary["spent"]["input"], 10 * calls);
}

#[test]
fn a_finished_run_plays_nothing_again() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("finished", BENCH);
    let url = endpoint.base_url();
    let first = bench.run("out", &["--base-url", &url]);
    let asked = endpoint.requests().len();
    let files = bench.files("out");
    let second = bench.run("out", &["--base-url", &url]);
    assert_eq!((exit(&first), exit(&second)), (0, 0));
    assert_eq!(endpoint.requests().len(), asked);
    assert_eq!(bench.files("out"), files);
    assert!(
        stderr(&second).contains("4 of 4 episodes are finished"),
        "{}",
        stderr(&second)
    );
}

#[test]
fn an_outage_is_in_no_score_and_is_made_good_by_the_next_run() {
    let mut left = 3;
    let endpoint = Endpoint::start_with(move |request| {
        left -= 1;
        if left < 0 {
            Answer::status(500, "out of order")
        } else {
            cook(request)
        }
    });
    let bench = Bench::new("outage", BENCH);
    let limits = ["--max-connections", "1", "--retry-on-error", "0"];
    let mut arguments = vec!["--base-url", "", "--format", "json"];
    arguments.extend(limits);
    let url = endpoint.base_url();
    arguments[1] = &url;
    let output = bench.run("out", &arguments);
    assert_eq!(exit(&output), 1);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["finished"], 2);
    assert_eq!(summary["unfinished"].as_array().unwrap().len(), 2);
    assert_eq!(summary["rows"][0]["setup"], "planner");
    drop(endpoint);
    let working = Endpoint::start_with(cook);
    let output = bench.run(
        "out",
        &["--base-url", &working.base_url(), "--format", "json"],
    );
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["finished"], 4);
    let counted = summary["counted"]["input"].as_u64().unwrap();
    let spent = summary["spent"]["input"].as_u64().unwrap();
    assert_eq!(
        spent,
        counted + 30,
        "what the first run used is spent as well"
    );
}

#[test]
fn what_attempts_cost_that_came_to_nothing_is_in_the_cost() {
    let mut left = 3;
    let endpoint = Endpoint::start_with(move |request| {
        left -= 1;
        if left < 0 {
            return Answer::status(500, "out of order");
        }
        cook(request)
    });
    let text = BENCH.replace(
        "timeout = 5",
        "timeout = 5\nprice = { input = 1, output = 2 }",
    );
    let bench = Bench::new("cost", &text);
    let url = endpoint.base_url();
    let output = bench.run("out", &["--base-url", &url, "--format", "json"]);
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let tokens = |kind: &str| summary["spent"][kind].as_f64().unwrap();
    assert_eq!(summary["spent"]["input"], 30);
    let spent = summary["cost_spent"].as_f64().unwrap();
    assert!((spent - (tokens("input") + 2.0 * tokens("output")) / 1e6).abs() < 1e-12);
    assert_eq!(summary["cost_counted"], 0.0);
}

#[test]
fn a_killed_run_goes_on_and_ends_as_one_that_was_not() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("killed", BENCH);
    let url = endpoint.base_url();
    bench.run("whole", &["--base-url", &url]);
    // What a run leaves that was killed in its second episode.
    let first = "tea.react.mock.seed1.epoch1.jsonl";
    let second = "tea.react.mock.seed2.epoch1.jsonl";
    for folder in ["episodes", "attempts"] {
        fs::create_dir_all(bench.folder.join("out").join(folder)).unwrap();
    }
    let whole = |file: &str| bench.read(&format!("whole/{file}"));
    let write =
        |file: &str, text: &str| fs::write(bench.folder.join("out").join(file), text).unwrap();
    write("header.json", &whole("header.json"));
    write(
        &format!("episodes/{first}"),
        &whole(&format!("episodes/{first}")),
    );
    let cut = whole(&format!("episodes/{second}"));
    write(&format!("episodes/{second}.part"), &cut[..cut.len() / 2]);
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let kept = |log_dir: &str| {
        let mut files = bench.files(log_dir);
        files.retain(|(name, _)| !name.ends_with(".1.jsonl") && name != "summary.json");
        files
    };
    assert_eq!(kept("out"), kept("whole"));
    assert!(
        bench
            .folder
            .join("out/attempts")
            .join(second.replace(".jsonl", ".1.jsonl"))
            .is_file()
    );
}

#[test]
fn a_folder_of_another_evaluation_is_refused() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("other", BENCH);
    let url = endpoint.base_url();
    bench.run("out", &["--base-url", &url]);
    fs::write(
        bench.folder.join("tea.pddl"),
        PROBLEM.replace("Pour the", "Serve the"),
    )
    .unwrap();
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("`words` of problem `tea` was"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn two_runs_in_one_folder_do_not_meet() {
    let bench = Bench::new("two", BENCH);
    let endpoint = Endpoint::start([Answer::hang()]);
    let mut first = bench
        .command("out", &["--base-url", &endpoint.base_url()])
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    while endpoint.requests().is_empty() {
        std::thread::yield_now();
    }
    let second = bench.run("out", &["--base-url", &endpoint.base_url()]);
    assert_eq!(exit(&second), 2);
    assert!(
        stderr(&second).contains("another `brigade bench` writes to it"),
        "{}",
        stderr(&second)
    );
    first.kill().unwrap();
    first.wait().unwrap();
}

#[test]
fn a_cassette_gives_the_same_bytes_without_a_server() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("cassette", BENCH);
    let recorded = bench.run(
        "recorded",
        &["--base-url", &endpoint.base_url(), "--cassette", "record"],
    );
    assert_eq!(exit(&recorded), 0, "{}", stderr(&recorded));
    drop(endpoint);
    for (log_dir, threads) in [("one", "1"), ("two", "4")] {
        let output = bench.run(
            log_dir,
            &["--cassette", "replay", "--max-connections", threads],
        );
        assert_eq!(exit(&output), 0, "{}", stderr(&output));
    }
    assert_eq!(bench.files("one"), bench.files("two"));
    assert_eq!(
        bench.read("one/episodes/tea.react.mock.seed1.epoch1.jsonl"),
        bench.read("recorded/episodes/tea.react.mock.seed1.epoch1.jsonl")
    );
}

#[test]
fn what_is_not_on_the_cassette_is_said() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("missing", BENCH);
    bench.run(
        "a",
        &["--base-url", &endpoint.base_url(), "--cassette", "record"],
    );
    fs::write(
        bench.folder.join("bench.toml"),
        BENCH.replace("[1, 2]", "[3]"),
    )
    .unwrap();
    let output = bench.run("b", &["--cassette", "replay", "--retry-on-error", "0"]);
    assert_eq!(exit(&output), 1);
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        shown.contains("the cassette has no answer of model `mock`"),
        "{shown}"
    );
}

#[test]
fn a_budget_of_tokens_stops_the_run_and_a_larger_one_goes_on() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("budget", BENCH);
    let url = endpoint.base_url();
    let output = bench.run(
        "out",
        &[
            "--base-url",
            &url,
            "--token-limit",
            "40",
            "--max-connections",
            "1",
        ],
    );
    assert_eq!(exit(&output), 3, "{}", stderr(&output));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("the token limit is reached"), "{shown}");
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
}

#[test]
fn a_limit_is_one_of_all_runs_of_an_evaluation() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("budget-of-all", BENCH);
    let url = endpoint.base_url();
    let arguments = [
        "--base-url",
        &url,
        "--token-limit",
        "40",
        "--max-connections",
        "1",
    ];
    let run = || {
        (
            exit(&bench.run("out", &arguments)),
            endpoint.requests().len(),
        )
    };
    let (first, asked) = run();
    assert!(asked > 0);
    // The last of the three questions was put while there was something left.
    assert_eq!((first, run()), (3, (3, asked)));
    let spending = bench.read("out/spending.json");
    let spending: Value = serde_json::from_str(&spending).unwrap();
    assert_eq!(spending["models"]["mock"]["input"], 10 * asked);
    assert_eq!(spending["models"]["mock"]["output"], 5 * asked);
    fs::write(bench.folder.join("out/spending.json"), "{}").unwrap();
    let output = bench.run("out", &arguments);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("or remove it"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn what_a_cassette_answers_is_not_spent() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("budget-of-cassette", BENCH);
    let url = endpoint.base_url();
    let output = bench.run("one", &["--base-url", &url, "--cache"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let asked = endpoint.requests().len();
    let output = bench.run(
        "two",
        &["--base-url", &url, "--cache", "--token-limit", "1"],
    );
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert_eq!(endpoint.requests().len(), asked);
    assert_eq!(bench.files("one"), bench.files("two"));
    assert!(bench.read("two/spending.json").contains("\"input\": 0"));
}

#[test]
fn a_limit_that_cannot_be_kept_ends_the_run() {
    let endpoint = Endpoint::start_with(|_| Answer::uncounted("Reasoning: next\nAction: wait"));
    let bench = Bench::new("uncounted", BENCH);
    let url = endpoint.base_url();
    let arguments = [
        "--base-url",
        &url,
        "--token-limit",
        "1000",
        "--max-connections",
        "1",
    ];
    let output = bench.run("out", &arguments);
    assert_eq!((exit(&output), endpoint.requests().len()), (3, 1));
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(shown.contains("does not count tokens"), "{shown}");
}

#[test]
fn a_limit_of_episodes_takes_nothing_from_what_is_finished() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("fewer", BENCH);
    let url = endpoint.base_url();
    let arguments = ["--base-url", &url, "--limit", "1"];
    let output = bench.run("out", &arguments);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert_eq!(bench.lines("out/index.jsonl").len(), 1);
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let all = bench.files("out");
    let output = bench.run("out", &arguments);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert_eq!(bench.files("out"), all);
    let output = bench.run("out", &["--base-url", &url, "--limit", "0"]);
    assert_eq!(exit(&output), 2, "{}", stderr(&output));
}

#[test]
fn a_limit_of_cost_needs_a_price() {
    let bench = Bench::new("price", BENCH);
    let output = bench.run(
        "out",
        &["--base-url", "http://127.0.0.1:9/v1", "--cost-limit", "1"],
    );
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("the price of model `mock` is not known"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn formats_are_found_out_where_none_is_given() {
    let endpoint = Endpoint::start_with(|request| {
        let body = request.json();
        if body.get("tools").is_some() || body.get("response_format").is_some() {
            return Answer::status(400, "not known");
        }
        let messages = body["messages"].as_array().unwrap();
        if messages.len() == 1 {
            return Answer::text("OK");
        }
        cook(request)
    });
    let bench = Bench::new("auto", &BENCH.replace("action-format = \"text\"\n", ""));
    let output = bench.run(
        "out",
        &["--base-url", &endpoint.base_url(), "--format", "json"],
    );
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["rows"][0]["way"]["format"], "text");
    // Where nothing is left to play, nothing is tried again.
    let asked = endpoint.requests().len();
    let again = bench.run(
        "out",
        &["--base-url", &endpoint.base_url(), "--format", "json"],
    );
    assert_eq!((exit(&again), &again.stdout), (0, &output.stdout));
    assert_eq!(endpoint.requests().len(), asked);
}

#[test]
fn mistakes_in_a_bench_file_are_said_with_their_place() {
    let wrong = [
        (BENCH.replace("seeds", "seed"), "unknown field `seed`"),
        (BENCH.replace("[1, 2]", "\"all\""), "line 2"),
        (
            BENCH.replace("agents = \"react\"", "agents = \"raect\""),
            "there is no policy or design `raect`",
        ),
        (
            BENCH.replace("max-ticks = 6\n", ""),
            "nothing limits the ticks",
        ),
        (BENCH.replace("max-ticks = 6", "budget = 0.5"), "1 at least"),
        (
            BENCH.replace("[models.mock]", "[models.mock]\ntemprature = 1"),
            "temprature",
        ),
        (
            BENCH.replace("max-ticks = 6", "max-ticks = 0"),
            "`max-ticks` is to be 1 or more, not 0",
        ),
        (
            BENCH.replace("path = \"tea.pddl\"", "path = \"tea.pddl\"\nmax-ticks = 0"),
            "`max-ticks` is to be 1 or more, not 0",
        ),
        (
            BENCH.replace("name = \"planner\"", "name = \"react\""),
            "two of `setups` are called `react`",
        ),
    ];
    for (index, (text, message)) in wrong.iter().enumerate() {
        let bench = Bench::new(&format!("wrong{index}"), text);
        let output = bench.run("out", &["--base-url", "http://127.0.0.1:9/v1"]);
        assert_eq!(exit(&output), 2, "{message}: {}", stderr(&output));
        assert!(
            stderr(&output).contains(message),
            "{message}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn a_semantics_that_the_domain_does_not_declare_is_refused() {
    let path = "path = \"tea.pddl\"";
    let lax = format!("{path}\nsemantics = \"lax\"");
    let bench = Bench::new("lax", &BENCH.replace(path, &lax));
    let output = bench.run("out", &["--base-url", "http://127.0.0.1:9/v1"]);
    assert_eq!(exit(&output), 5, "{}", stderr(&output));
    let said = stderr(&output);
    assert!(said.contains("the domain has no semantics `lax`"), "{said}");
}

#[test]
fn answers_that_never_hold_an_action_end_in_a_recorded_failure() {
    for (name, answer) in [
        ("garbage", Answer::text("§%&/")),
        ("french", Answer::text("Je ne sais pas encore quoi faire.")),
        (
            "talk",
            Answer::text("Action: request(ann, light the stove)"),
        ),
        ("empty", Answer::text("")),
    ] {
        let endpoint = Endpoint::start([answer]);
        let bench = Bench::new(name, BENCH);
        let output = bench.run(
            "out",
            &["--base-url", &endpoint.base_url(), "--format", "json"],
        );
        assert_eq!(exit(&output), 0, "{name}: {}", stderr(&output));
        let index = bench.lines("out/index.jsonl");
        assert_eq!(index[0]["reason"], "gave-up", "{name}");
        assert_eq!(index[0]["success"], false);
    }
}

#[test]
fn a_problem_without_a_goal_is_in_no_rate_of_success() {
    let text = "max-ticks = 6\n[[problems]]\npath = \"tea.pddl\"\n[[setups]]\nname = \"r\"\nagents = \"random\"\n";
    let bench = Bench::new("no-goal", text);
    let endless = PROBLEM.replace("(:goal (poured) :text \"Pour the tea\")", "(:end (lit))");
    let domain = DOMAIN.replace(":typing", ":typing :horizon");
    fs::write(bench.folder.join("tea.pddl"), endless).unwrap();
    fs::write(bench.folder.join("tea-domain.pddl"), domain).unwrap();
    let output = bench.run("out", &["--format", "json"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let index = bench.lines("out/index.jsonl");
    assert_eq!(
        (&index[0]["reason"], &index[0]["success"]),
        (&"end".into(), &Value::Null)
    );
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    let row = &summary["rows"][0];
    assert_eq!(
        (&row["successes"], &row["success_rate"]),
        (&Value::Null, &Value::Null)
    );
    let output = bench.run("out", &[]);
    let table = String::from_utf8(output.stdout).unwrap();
    let line = table.lines().find(|line| line.starts_with("r ")).unwrap();
    assert_eq!(line.split_whitespace().nth(4), Some("-"), "{table}");
}

#[test]
fn who_cannot_wait_and_gives_no_valid_command_has_failed_and_that_counts() {
    let lamp = BENCH.replace("tea.pddl", "lamp.pddl");
    for design in ["react", "reflexion", "collab"] {
        let text = lamp.replace("agents = \"react\"", &format!("agents = \"{design}\""));
        let bench = Bench::new(&format!("lamp-{design}"), &text);
        for (file, text) in [
            (
                "lamp-domain.pddl",
                "(define (domain lamp) (:predicates (lit) (warm)) (:action light :effect (lit)) \
                 (:action wait-for-it :precondition (lit) :effect (warm)))",
            ),
            (
                "lamp.pddl",
                "(define (problem reading) (:domain lamp) (:goal (warm)))",
            ),
        ] {
            fs::write(bench.folder.join(file), text).unwrap();
        }
        let endpoint =
            Endpoint::start_with(|_| Answer::text("Reasoning: far\nAction: fly to the moon\nSay:"));
        let url = endpoint.base_url();
        let output = bench.run("out", &["--base-url", &url]);
        assert_eq!(exit(&output), 0, "{design}: {}", stderr(&output));
        let asked = endpoint.requests().len();
        let index = bench.lines("out/index.jsonl");
        let of_model = index.iter().filter(|line| line["model"] == "mock");
        let mut count = 0;
        for line in of_model {
            count += 1;
            assert_eq!(line["reason"], "no-command", "{design}");
            assert_eq!(
                (&line["success"], &line["ticks"]),
                (&false.into(), &0.into())
            );
            let outcomes = &line["outcomes"];
            let failed = outcomes["illegal_action"].as_u64().unwrap()
                + outcomes["unparseable"].as_u64().unwrap();
            assert_eq!(failed, line["trials"].as_u64().unwrap(), "{design}: {line}");
        }
        assert_eq!(count, 2, "{design}");
        let again = bench.run("out", &["--base-url", &url]);
        assert_eq!((exit(&again), endpoint.requests().len()), (0, asked));
    }
}

#[test]
fn what_does_not_fit_a_problem_is_refused_before_there_is_a_header() {
    let bench = Bench::new(
        "seats",
        &BENCH.replace("agents = \"react\"", "agents = \"io\""),
    );
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("takes a problem of one agent"),
        "{}",
        stderr(&output)
    );
    fs::write(bench.folder.join("bench.toml"), BENCH).unwrap();
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    fs::remove_file(bench.folder.join("out/header.json")).unwrap();
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("no header.json"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn designs_are_listed_and_copied_and_the_copy_can_be_played() {
    let bench = Bench::new(
        "copied",
        &BENCH.replace("agents = \"react\"", "agents = \"mine/react.toml\""),
    );
    let brigade = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_brigade"));
        command
            .current_dir(&bench.folder)
            .args(arguments)
            .output()
            .unwrap()
    };
    let listed = brigade(&["agents"]);
    assert!(String::from_utf8_lossy(&listed.stdout).contains("orchestrator"));
    assert_eq!(exit(&brigade(&["agents", "react", "--write", "mine"])), 0);
    let again = brigade(&["agents", "react", "--write", "mine"]);
    assert_eq!(exit(&again), 2, "what was changed is not overwritten");
    let template = bench.folder.join("mine/step.jinja");
    let text = fs::read_to_string(&template).unwrap();
    fs::write(&template, format!("My own words.\n{text}")).unwrap();
    let endpoint = Endpoint::start_with(cook);
    let output = bench.run("out", &["--base-url", &endpoint.base_url()]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert!(endpoint.requests()[0].body.contains("My own words."));
    fs::write(&template, "{{ sttate }}").unwrap();
    let output = bench.run("other", &["--base-url", &endpoint.base_url()]);
    assert_eq!(exit(&output), 2, "{}", stderr(&output));
    assert!(
        stderr(&output).contains(
            "step.jinja, line 1, column 4: there is no slot `sttate`; did you mean `state`?"
        ),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_orchestrator_is_asked_again_when_orders_come_change_or_are_cancelled() {
    let endpoint = Endpoint::start_with(|request| {
        let body = request.json();
        let messages = body["messages"].as_array().unwrap();
        let prompt = messages.last().unwrap()["content"].as_str().unwrap();
        let names = prompt
            .lines()
            .filter_map(|line| line.strip_suffix(" can do at first:"));
        let waits = ["wait"; 20].join("; ");
        let lines: Vec<String> = names.map(|name| format!("{name}: {waits}")).collect();
        Answer::text(&format!("Reasoning: later\n{}", lines.join("\n")))
    });
    let problem = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/problems/order-rush/lunch.pddl"
    );
    let text = BENCH
        .replace("[1, 2]", "[1]")
        .replace("max-ticks = 6", "max-ticks = 15")
        .replace("\"tea.pddl\"", &format!("{problem:?}"))
        .replace("agents = \"react\"", "agents = \"orchestrator\"");
    // Not everyone observes all of that kitchen, and another set-up plans.
    let bench = Bench::new("orders", &format!("clairvoyant = true\n{text}"));
    let output = bench.run(
        "out",
        &["--base-url", &endpoint.base_url(), "--metric-states", "0"],
    );
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let log = bench.lines("out/episodes/lunch.react.mock.seed1.epoch1.jsonl");
    let calls = log.iter().filter(|event| event["event"] == "call");
    let ticks: Vec<u64> = calls.map(|call| call["tick"].as_u64().unwrap()).collect();
    // Orders come at 2 and 4, one changes at 5, one is cancelled at 9.
    assert_eq!(ticks, [0, 2, 4, 5, 9]);
}
