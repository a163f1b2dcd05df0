//! The exit codes of every command, for malformed and unsound input of each role.

use std::collections::BTreeSet;
use std::fs;

use super::{ONE_EGG, Scratch, commands, run, shown};

/// The kinds of files that commands read, each with a text that is none of the kind.
const BROKEN: [(&str, &str); 11] = [
    (
        "problem.pddl",
        "(define (problem p) (:domain egg) (:goal (served",
    ),
    (
        "unsound.pddl",
        "(define (problem p) (:domain egg) (:goal (served ghost)))",
    ),
    (
        "stray.pddl",
        "(define (problem p) (:domain no-such-domain) (:goal (served))))",
    ),
    ("empty.jsonl", ""),
    ("domain.pddl", "(define (domain egg) (:action"),
    ("trace.jsonl", "[\"(boil egg)\"\n"),
    ("plan.txt", "(this is\n"),
    ("log.jsonl", "{\"event\":\"begin\"}\n"),
    ("references.json", "{\"egg\": 7"),
    ("environment.json", "{\"stations\": ["),
    ("binary.pddl", "(define \u{0} (problem"),
];

/// Malformed configuration of a bench.
const BENCH: &str = "[[problems]]\npath = 7\n";

/// A bench file that is sound, of one problem.
fn bench(problem: &str) -> String {
    format!(
        "[[problems]]\npath = \"{problem}\"\ndomain = \"egg.pddl\"\n\n[[setups]]\nname = \"greedy\"\n\
         agents = \"greedy\"\n"
    )
}

/// A folder with broken files.
fn broken(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    for (file, text) in BROKEN {
        scratch.file(file, text);
    }
    scratch.file("bench.toml", BENCH);
    scratch.file("of-broken.toml", bench("problem.pddl"));
    scratch.file("design.toml", "[[agents]\n");
    for file in ["egg.pddl", "one-egg.pddl"] {
        fs::copy(format!("tests/data/cli/{file}"), scratch.path(file)).unwrap();
    }
    scratch
}

/// Command lines, where `@` stands for the folder of broken files, and the codes they end with.
const CASES: &[(&str, i32)] = &[
    // What is wrong is the answer.
    ("check @/problem.pddl", 1),
    ("check @/domain.pddl", 1),
    ("check @/unsound.pddl", 1),
    ("check @/environment.json --domain @/environment.json", 1),
    ("check --facts @/unsound.pddl --domain @/egg.pddl", 1),
    ("check @/binary.pddl", 1),
    ("fmt --check @/problem.pddl", 1),
    ("snapshot --check @/problem.pddl", 1),
    ("snapshot --check @/unsound.pddl --domain @/egg.pddl", 1),
    // Something else was asked.
    ("compile @/problem.pddl", 5),
    ("compile @/unsound.pddl --domain @/egg.pddl", 5),
    ("compile @/one-egg.pddl --domain @/domain.pddl", 5),
    ("compile @/environment.json --domain @/environment.json", 5),
    ("compile --emit json @/problem.pddl", 5),
    ("plan @/problem.pddl", 5),
    ("plan @/unsound.pddl --domain @/egg.pddl", 5),
    ("plan @/stray.pddl", 5),
    ("plan @/one-egg.pddl --domain @/domain.pddl", 5),
    ("plan @/environment.json --domain @/environment.json", 5),
    ("plan @/domain.pddl @/one-egg.pddl", 5),
    ("plan @/binary.pddl", 5),
    ("rats @/problem.pddl", 5),
    ("rats @/one-egg.pddl --domain @/domain.pddl", 5),
    (
        "rats tests/data/cli/one-egg.pddl --compare @/references.json",
        5,
    ),
    ("replay @/problem.pddl @/trace.jsonl", 5),
    ("replay tests/data/cli/one-egg.pddl @/trace.jsonl", 5),
    ("replay tests/data/cli/one-egg.pddl @/log.jsonl", 5),
    (
        "replay --classical tests/data/cli/one-egg.pddl @/plan.txt",
        5,
    ),
    ("run @/problem.pddl", 5),
    ("run @/unsound.pddl --domain @/egg.pddl", 5),
    (
        "run tests/data/cli/one-egg.pddl --others replay:@/log.jsonl",
        5,
    ),
    (
        "run tests/data/cli/one-egg.pddl --log @/log.jsonl --resume",
        5,
    ),
    (
        "run tests/data/cli/one-egg.pddl --log @/empty.jsonl --resume",
        5,
    ),
    #[cfg(feature = "serve")]
    ("serve @/problem.pddl --log-dir @/games", 5),
    ("observe @/problem.pddl --agent cook", 5),
    (
        "observe tests/data/cli/one-egg.pddl --agent chef --after @/trace.jsonl",
        5,
    ),
    ("score --problem @/problem.pddl @/log.jsonl", 5),
    ("score --problem tests/data/cli/one-egg.pddl @/log.jsonl", 5),
    ("score --references @ @/trace.jsonl", 5),
    ("view @/problem.pddl --no-open", 5),
    ("view @/unsound.pddl --domain @/egg.pddl --no-open", 5),
    ("view @/log.jsonl --no-open", 5),
    ("bench @/of-broken.toml --log-dir @/logs", 5),
    ("bench --dry-run @/of-broken.toml --log-dir @/logs", 5),
    (
        "import robotouille @/environment.json @/environment.json",
        5,
    ),
    ("export --to pddl @/problem.pddl", 5),
    (
        "export --to classical @/unsound.pddl --domain @/egg.pddl",
        5,
    ),
    ("export --to robotouille @/domain.pddl", 5),
    ("fmt @/problem.pddl", 5),
    ("snapshot --accept @/problem.pddl", 5),
    ("diff @/problem.pddl @/one-egg.pddl", 5),
    ("diff @/one-egg.pddl @/unsound.pddl --domain @/egg.pddl", 5),
    ("generate robotouille @/environment.json", 5),
    ("generate robotouille @/problem.pddl", 5),
    // Configuration is a part of the command line.
    ("bench @/bench.toml --log-dir @/logs", 2),
    ("run tests/data/cli/one-egg.pddl --others @/design.toml", 2),
    // What is asked of these is no file.
    ("agents no-such-design", 2),
    ("report @ --output @/report", 2),
    ("domains --copy no-such-problem", 2),
    ("new ../x", 2),
    ("doctor --base-url nowhere", 2),
    ("demo no-such-problem", 2),
    ("explain E9999", 2),
    ("completions no-such-shell", 2),
    ("man no-such-command", 2),
];

#[test]
fn malformed_input_ends_with_5_and_with_1_where_findings_are_the_answer() {
    let scratch = broken("exit-codes");
    let folder = scratch.path("");
    let folder = folder.trim_end_matches('/');
    let mut wrong = Vec::new();
    for &(line, expected) in CASES {
        let line = line.replace('@', folder);
        let args: Vec<&str> = line.split(' ').collect();
        let output = run(&args);
        if output.status.code() != Some(expected) {
            wrong.push(format!("expected {expected}: {}", shown(&args, &output)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_command_has_a_case_of_malformed_input() {
    let tried: BTreeSet<&str> = CASES
        .iter()
        .filter_map(|(line, _)| line.split(' ').next())
        .collect();
    let all = commands();
    let all: BTreeSet<&str> = all.iter().map(String::as_str).collect();
    assert_eq!(tried, all);
}

#[test]
fn a_file_that_is_not_there_is_an_error_of_input_and_output() {
    let commands = [
        "check @",
        "compile @",
        "plan @",
        "rats @",
        "replay @ @",
        "run @",
        "observe @",
        "score --problem @ @",
        "bench @ --log-dir @",
        "import robotouille @ @",
        "export --to pddl @",
        "fmt @",
        "fmt --check @",
        "snapshot --check @",
        "diff @ @",
    ];
    for line in commands {
        let line = line.replace('@', "no/such/file.pddl");
        let args: Vec<&str> = line.split(' ').collect();
        let output = run(&args);
        assert_eq!(output.status.code(), Some(2), "{}", shown(&args, &output));
    }
}

#[test]
fn what_a_format_cannot_say_is_a_negative_answer() {
    let args = ["export", "--to", "robotouille", ONE_EGG];
    let output = run(&args);
    assert_eq!(output.status.code(), Some(1), "{}", shown(&args, &output));
}

#[test]
fn the_help_and_the_reference_list_the_same_exit_codes() {
    let help = String::from_utf8(run(&["--help"]).stdout).unwrap();
    let page = fs::read_to_string("docs/reference/commands.md").unwrap();
    for code in 0..=5 {
        let in_help = help
            .lines()
            .any(|line| line.starts_with(&format!("  {code}  ")));
        let in_page = page
            .lines()
            .any(|line| line.starts_with(&format!("| {code} | ")));
        assert!(in_help && in_page, "{code}");
    }
}
