//! Files that only the command line reads, damaged: each command ends with an exit code of its own.

use std::fs;
use std::path::Path;

use super::{Scratch, command};

const DOMAIN: &str = include_str!("../../data/designs/drinks-domain.pddl");
const PROBLEM: &str = include_str!("../../data/designs/coffee.pddl");
const REFERENCES: &str = include_str!("../../data/score/references/boiled_egg.json");

/// Two random agents, so that no model is asked.
const BENCH: &str = "seeds = [1]\nmax-ticks = 4\n\n[[problems]]\npath = \"problem.pddl\"\n\n\
                     [[setups]]\nname = \"random\"\nagents = \"random\"\n";

const SPENDING: &str =
    r#"{"schema": 1, "models": {"m": {"input": 1, "output": 2, "cached": 0, "uncounted": 0}}}"#;

const TRACE: &str = "[\"(light ann)\", \"(bring bob beans)\"]\n\n{\"ann\": \"pour coffee\"}\n";

/// Runs a command in a folder: its exit code, and what it says went wrong.
fn run_in(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let arguments: Vec<&str> = arguments.split(' ').collect();
    let output = command(&arguments).current_dir(folder).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!said.contains("panicked"), "{arguments:?}\n{said}");
    (output.status.code(), said)
}

/// A folder with an event log and an evaluation.
fn kitchen(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    for (name, text) in [
        ("domain.pddl", DOMAIN),
        ("problem.pddl", PROBLEM),
        ("bench.toml", BENCH),
        ("trace", TRACE),
        ("plan", "; nothing yet\n"),
    ] {
        scratch.file(name, text);
    }
    for folder in ["references", "snapshots"] {
        fs::create_dir(scratch.0.join(folder)).unwrap();
    }
    scratch.file("references/boiled_egg.json", REFERENCES);
    let episodes = include_str!("../../data/score/episodes.jsonl");
    scratch.file("episodes.jsonl", episodes);
    for made in [
        "run problem.pddl --others random --log run.jsonl",
        "bench bench.toml --log-dir logs",
        "snapshot --accept problem.pddl",
    ] {
        let (code, said) = run_in(&scratch.0, made);
        assert!(code.is_some_and(|code| code < 2), "{made}: {said}");
    }
    scratch.file("logs/spending.json", SPENDING);
    scratch
}

/// The files, and the commands that read them.
const READ: [(&str, &str); 13] = [
    ("trace", "replay problem.pddl trace"),
    ("trace", "observe problem.pddl --after trace"),
    ("plan", "replay problem.pddl plan --classical"),
    ("run.jsonl", "replay problem.pddl run.jsonl"),
    (
        "run.jsonl",
        "run problem.pddl --others random --resume --log run.jsonl",
    ),
    (
        "run.jsonl",
        "score run.jsonl --problem problem.pddl --process",
    ),
    (
        "episodes.jsonl",
        "score episodes.jsonl --references references",
    ),
    (
        "references/boiled_egg.json",
        "score episodes.jsonl --references references",
    ),
    ("bench.toml", "bench bench.toml --log-dir other --dry-run"),
    ("logs/spending.json", "bench bench.toml --log-dir logs"),
    ("logs/process.jsonl", "bench bench.toml --log-dir logs"),
    ("logs/header.json", "bench bench.toml --log-dir logs"),
    ("snapshots/problem.snap", "snapshot --check problem.pddl"),
];

/// Returns damaged versions of a file.
fn damaged(sound: &[u8]) -> Vec<Vec<u8>> {
    let half = sound.len() / 2;
    let cut = |parts: usize| sound[..sound.len() * parts / 7].to_vec();
    let with = |at: usize, new: &[u8]| [&sound[..at], new, &sound[at..]].concat();
    let crlf = String::from_utf8_lossy(sound).replace('\n', "\r\n");
    let mut all: Vec<Vec<u8>> = (0..7).map(cut).collect();
    all.extend([
        sound.repeat(2),
        with(0, "\u{feff}".as_bytes()),
        crlf.into_bytes(),
        with(half, b"\0"),
        with(half, b"\xff"),
        with(half, &b"[".repeat(10_000)),
        with(half, &b"9".repeat(10_000)),
        b"[".repeat(100_000),
        b"{\"a\":".repeat(100_000),
        b"a = [".repeat(100_000),
        vec![0; 100_000],
    ]);
    all
}

#[test]
fn a_damaged_file_of_any_kind_ends_in_an_exit_code_and_a_short_report() {
    let scratch = kitchen("damaged");
    for (file, command) in READ {
        let path = scratch.0.join(file);
        let sound = fs::read(&path).unwrap();
        for (number, bytes) in damaged(&sound).into_iter().enumerate() {
            fs::write(&path, bytes).unwrap();
            let (code, said) = run_in(&scratch.0, command);
            let what = format!("`{command}` with damage {number} of {file}");
            assert!(
                code.is_some_and(|code| code != 4 && code < 6),
                "{what}: {code:?}\n{said}"
            );
            assert!(said.len() < 10_000, "{what} says too much");
            assert!(
                code != Some(2) || said.lines().any(|line| line.starts_with("error: ")),
                "{what}:\n{said}"
            );
        }
        fs::write(&path, sound).unwrap();
    }
}

#[test]
fn a_folder_in_place_of_a_file_is_reported() {
    let scratch = kitchen("folders");
    for (file, command) in READ {
        let path = scratch.0.join(file);
        let sound = fs::read(&path).unwrap();
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        let (code, said) = run_in(&scratch.0, command);
        assert_eq!(code, Some(2), "{command}\n{said}");
        fs::remove_dir(&path).unwrap();
        fs::write(&path, sound).unwrap();
    }
}

#[test]
fn what_earlier_runs_have_spent_is_read_or_refused_with_a_way_out() {
    let scratch = kitchen("spending");
    for (text, wrong) in [
        ("", "EOF while parsing a value"),
        ("[]", "invalid length 0"),
        (
            r#"{"schema": 1, "models": {"m": {"input": -1}}}"#,
            "expected a whole number, 0 or more",
        ),
        (r#"{"schema": 2, "models": {}}"#, "is of version 2, not 1"),
    ] {
        scratch.file("logs/spending.json", text);
        let (code, said) = run_in(&scratch.0, "bench bench.toml --log-dir logs");
        assert_eq!(code, Some(2), "{text}\n{said}");
        assert!(said.contains(wrong), "{said}");
        assert!(said.contains("help: put the file back"), "{said}");
    }
}

#[test]
fn metrics_of_an_earlier_run_that_cannot_be_read_are_measured_again() {
    let scratch = kitchen("measured");
    let path = scratch.0.join("logs/process.jsonl");
    let whole = fs::read(&path).unwrap();
    let line = br#"{"problem":"problem","max_states":1000000,"id":"x"}"#;
    for damage in [&b"\xff\xfe"[..], b"{", line, b""] {
        fs::write(&path, damage).unwrap();
        let (code, said) = run_in(&scratch.0, "bench bench.toml --log-dir logs");
        assert_eq!(code, Some(0), "{said}");
        assert_eq!(fs::read(&path).unwrap(), whole);
    }
}
