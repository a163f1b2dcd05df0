//! `brigade bench --dry-run`: what a run would refuse before its first episode is refused, and nothing is
//! asked, played or written.

use serde_json::Value;

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::Endpoint;

/// An endpoint that is not asked.
const NOBODY: [&str; 2] = ["--base-url", "http://127.0.0.1:9/v1"];

#[test]
fn a_dry_run_refuses_what_a_run_refuses() {
    let react = "agents = \"react\"";
    for (index, (text, arguments)) in [
        (BENCH.replace(react, "agents = \"raect\""), &NOBODY[..]),
        (BENCH.replace(react, "agents = \"none.toml\""), &NOBODY),
        // It takes a problem of one agent.
        (BENCH.replace(react, "agents = \"io\""), &NOBODY),
        (
            BENCH.replace(react, "agents = \"react\"\nexcept = { eve = \"random\" }"),
            &NOBODY,
        ),
        (
            BENCH.replace(react, "agents = \"react\"\nchange = { nothing = 1 }"),
            &NOBODY,
        ),
        (BENCH.replace("tea.pddl", "coffee.pddl"), &NOBODY),
        (BENCH.replace("tea.pddl", "tea-domain.pddl"), &NOBODY),
        (BENCH.replace("max-ticks = 6\n", ""), &NOBODY),
        (
            BENCH.replace(
                "path = \"tea.pddl\"",
                "path = \"tea.pddl\"\nsemantics = \"lax\"",
            ),
            &NOBODY,
        ),
        (
            BENCH.replace("timeout = 5", "timeout = 5\napi-key-env = \"sk-live-1\""),
            &NOBODY,
        ),
        (
            BENCH.replace("timeout = 5", "timeout = 5\nextra-body = { model = \"x\" }"),
            &NOBODY,
        ),
        (BENCH.to_owned(), &[]),
        (BENCH.to_owned(), &["--base-url", "nowhere"]),
        (BENCH.to_owned(), &["--cassette", "replay"]),
        (
            BENCH.to_owned(),
            &["--model", "mok", "--base-url", "http://127.0.0.1:9/v1"],
        ),
        (
            BENCH.to_owned(),
            &["--cost-limit", "1", "--base-url", "http://127.0.0.1:9/v1"],
        ),
        (
            BENCH.to_owned(),
            &[
                "--cassette-file",
                "c",
                "--base-url",
                "http://127.0.0.1:9/v1",
            ],
        ),
    ]
    .iter()
    .enumerate()
    {
        let bench = Bench::new(&format!("dry-{index}"), text);
        let run = bench.run("out", arguments);
        assert_ne!(exit(&run), 0, "{index}");
        for form in ["text", "json"] {
            let more = [arguments, &["--dry-run", "--format", form][..]].concat();
            let dry = bench.run("dry", &more);
            assert_eq!(
                (exit(&dry), stderr(&dry)),
                (exit(&run), stderr(&run)),
                "{index}"
            );
            if form == "text" {
                assert_eq!(dry.stdout, b"", "{index}");
            } else {
                let document: Value = serde_json::from_slice(&dry.stdout).unwrap();
                assert!(document["failure"].is_string(), "{index}: {document}");
            }
        }
        assert!(!bench.folder.join("dry").exists());
    }
}

#[test]
fn a_dry_run_refuses_places_that_a_run_could_not_write_to() {
    let bench = Bench::new("dry-places", BENCH);
    std::fs::write(bench.folder.join("a-file"), "").unwrap();
    for mode in ["auto", "record"] {
        let place = ["--cassette", mode, "--cassette-file", "nowhere/x"];
        let run = bench.run("out", &[&NOBODY[..], &place].concat());
        let dry = bench.run("dry", &[&NOBODY[..], &place, &["--dry-run"]].concat());
        assert_eq!((exit(&dry), stderr(&dry)), (2, stderr(&run)));
    }
    for folder in ["/proc/nope", "a-file/logs"] {
        let dry = bench.run(folder, &[&NOBODY[..], &["--dry-run"]].concat());
        let run = bench.run(folder, &NOBODY);
        assert_eq!((exit(&dry), exit(&run)), (2, 2), "{}", stderr(&dry));
    }
    assert!(!bench.folder.join("dry").exists());
}

#[test]
fn a_cassette_without_answers_cannot_be_replayed() {
    let bench = Bench::new("dry-empty", BENCH);
    std::fs::write(bench.folder.join("bench.cassette.jsonl"), "").unwrap();
    for more in [&[][..], &["--dry-run"]] {
        let output = bench.run("out", &[&["--cassette", "replay"], more].concat());
        assert_eq!(exit(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains("the cassette is empty"));
    }
}

#[cfg(unix)]
#[test]
fn a_cassette_that_is_a_pipe_is_refused_by_a_dry_run() {
    let bench = Bench::new("dry-pipe", BENCH);
    let made = std::process::Command::new("mkfifo")
        .arg(bench.folder.join("pipe"))
        .status();
    assert!(made.unwrap().success());
    for mode in ["replay", "auto", "record"] {
        let place = ["--cassette", mode, "--cassette-file", "pipe", "--dry-run"];
        let dry = bench.run("dry", &[&NOBODY[..], &place].concat());
        assert_eq!(exit(&dry), 2, "{}", stderr(&dry));
    }
}

#[test]
fn a_cassette_is_looked_at_and_not_touched() {
    let bench = Bench::new("dry-cassette", BENCH);
    let record = [&NOBODY[..], &["--cassette", "record", "--dry-run"]].concat();
    let cassette = bench.folder.join("bench.cassette.jsonl");
    assert_eq!(exit(&bench.run("out", &record)), 0);
    assert!(!cassette.exists());
    std::fs::write(&cassette, "{}\n").unwrap();
    let output = bench.run("out", &record);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("the cassette is there already"),
        "{}",
        stderr(&output)
    );
    let replay = ["--cassette", "replay", "--dry-run"];
    let (dry, run) = (bench.run("dry", &replay), bench.run("out", &replay[..2]));
    assert_eq!((exit(&dry), stderr(&dry)), (exit(&run), stderr(&run)));
    assert_ne!(exit(&dry), 0);
    assert_eq!(bench.read("bench.cassette.jsonl"), "{}\n");
}

#[test]
fn the_plan_is_one_document_or_the_ids_line_by_line() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("dry-plan", BENCH);
    let url = endpoint.base_url();
    let arguments = ["--base-url", &url[..]];
    let plan = |more: &[&str]| {
        let arguments = [&arguments[..], &["--dry-run"], more].concat();
        let output = bench.run("out", &arguments);
        assert_eq!(exit(&output), 0, "{}", stderr(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = plan(&[]);
    let ids: Vec<&str> = text.lines().collect();
    assert_eq!(ids.len(), 4);
    assert!(!bench.folder.join("out").exists());
    let output = bench.run("out", &[&arguments[..], &["--limit", "1"]].concat());
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let before = (bench.files("out"), endpoint.requests().len());
    let document: Value = serde_json::from_str(&plan(&["--format", "json"])).unwrap();
    assert_eq!((bench.files("out"), endpoint.requests().len()), before);
    assert_eq!(
        (&document["episodes"], &document["finished"]),
        (&4.into(), &1.into())
    );
    let planned = document["planned"].as_array().unwrap();
    let of = |key: &str| {
        planned
            .iter()
            .map(|line| line[key].clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(of("id"), ids);
    assert_eq!(of("finished"), [true, false, false, false]);
    assert_eq!(planned[2]["model"], Value::Null);
    assert_eq!(planned[0]["max_ticks"], 6);
}
