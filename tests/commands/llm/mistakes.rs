//! Mistakes that people make with `brigade bench`: each is reported, with a code and a way out, before anything is
//! asked.

use std::fs;

use serde_json::Value;

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::Endpoint;

/// An endpoint that is not asked.
const NOBODY: [&str; 2] = ["--base-url", "http://127.0.0.1:9/v1"];

/// Checks that a bench file is refused with this message.
fn check(name: &str, text: &str, expected: &str) {
    let bench = Bench::new(&format!("mistake-{name}"), text);
    let output = bench.run("out", &NOBODY);
    let said = stderr(&output);
    assert_eq!(exit(&output), 2, "{name}: {said}");
    assert!(said.contains(expected), "{name}: {said}");
}

#[test]
fn numbers_that_make_no_sense_are_refused() {
    for (index, (key, expected)) in [
        (
            "temperature = -1",
            "`temperature` is to be 0 or more, not -1",
        ),
        (
            "temperature = nan",
            "`temperature` is to be 0 or more, not NaN",
        ),
        ("top-p = 1.5", "`top-p` is to be more than 0 and 1 at most"),
        ("max-tokens = 0", "`max-tokens` is to be 1 or more"),
        ("max-tokens = -5", "expected u32"),
        (
            "requests-per-minute = 0",
            "`requests-per-minute` is to be 1 or more",
        ),
        (
            "price = { input = -1, output = 2 }",
            "a `price` is to be 0 or more, not -1",
        ),
        (
            "price = { input = 1, output = nan }",
            "a `price` is to be 0 or more, not NaN",
        ),
        ("price = { input = 1 }", "missing field `output`"),
    ]
    .iter()
    .enumerate()
    {
        let text = BENCH.replace("[models.mock]", &format!("[models.mock]\n{key}"));
        check(&format!("number{index}"), &text, expected);
    }
    let text = BENCH.replace("timeout = 5", "timeout = 0");
    check("timeout", &text, "`timeout` is to be 1 or more");
}

#[test]
fn names_that_are_given_twice_or_not_at_all_are_refused() {
    let setups = |one: &str, two: &str| {
        let text = BENCH.replace("name = \"react\"", &format!("name = {one:?}"));
        text.replace("name = \"planner\"", &format!("name = {two:?}"))
    };
    check(
        "twice",
        &setups("計画", "計画"),
        "two of `setups` are called",
    );
    check("nameless", &setups("", "b"), "one of `setups` has no name");
    let problems = format!("{BENCH}\n[[problems]]\npath = \"sub/tea.pddl\"");
    check("problems", &problems, "two of `problems` are called `tea`");
    check(
        "seeds",
        &BENCH.replace("[1, 2]", "[1, 2, 1]"),
        "`seeds` holds 1 twice",
    );
}

#[test]
fn distinct_names_have_distinct_logs_in_the_folder_whatever_they_are() {
    let long = "x".repeat(300);
    let names = [
        "random",
        "Random",
        "反応",
        "計画",
        "a/b",
        "a\\b",
        "a b",
        "a_b",
        "../../up",
        "..",
        "é",
        "con",
        "line\nline",
        &long,
    ];
    let setups = names.map(|name| format!("[[setups]]\nname = {name:?}\nagents = \"random\"\n"));
    let head = BENCH.split("[[setups]]").next().unwrap();
    let bench = Bench::new("mistake-names", &format!("{head}{}", setups.concat()));
    let output = bench.run("out", &NOBODY);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let logs = std::fs::read_dir(bench.folder.join("out/episodes")).unwrap();
    let mut logs: Vec<String> = logs
        .map(|log| log.unwrap().file_name().to_string_lossy().to_lowercase())
        .collect();
    logs.sort();
    logs.dedup();
    assert_eq!(logs.len(), 2 * names.len());
    assert!(logs.contains(&"tea.random.none.seed1.epoch1.jsonl".to_owned()));
    assert_eq!(bench.lines("out/index.jsonl").len(), 2 * names.len());
    let again = bench.run("out", &NOBODY);
    let all = 2 * names.len();
    assert!(stderr(&again).contains(&format!("{all} of {all} episodes are finished")));
}

#[test]
fn parts_that_are_not_there_are_named() {
    let setup =
        |more: &str| BENCH.replace("agents = \"react\"", &format!("agents = \"react\"\n{more}"));
    check(
        "agent",
        &setup("except = { anne = \"planner\" }"),
        "did you mean `ann`?",
    );
    check(
        "design",
        &setup("except = { ann = \"mine.toml\" }"),
        "mine.toml: no such file",
    );
    check(
        "change",
        &setup("change = { memry = 1 }"),
        "unknown field `memry`",
    );
    check(
        "problem",
        &setup("problems = [\"tee\"]"),
        "did you mean `tea`?",
    );
    check(
        "path",
        &BENCH.replace("tea.pddl", "coffee.pddl"),
        "coffee.pddl: no such file",
    );
    let many = BENCH.replace("[1, 2]", "[1, 2]\nepochs = 4294967295");
    let bench = Bench::new("mistake-many", &many);
    let output = bench.run("out", &NOBODY);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("more than 1000000 episodes"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_base_url_that_is_none_is_refused() {
    let bench = Bench::new("mistake-url", BENCH);
    for (url, expected) in [
        ("127.0.0.1:8080", "is not a URL"),
        ("http://ann:s3cret@h/v1", "holds a user name or a password"),
    ] {
        let output = bench.run("out", &["--base-url", url]);
        assert_eq!(exit(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
        assert!(!stderr(&output).contains("s3cret"), "{}", stderr(&output));
    }
    let output = bench.run("out", &[]);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("model `mock` has no `base-url`"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn limits_that_make_no_sense_are_refused() {
    let bench = Bench::new("mistake-limits", BENCH);
    for (option, value) in [
        ("--cost-limit", "nan"),
        ("--cost-limit", "-1"),
        ("--token-limit", "some"),
        ("--max-connections", "0"),
        ("--epochs", "0"),
        ("--time-limit", "nan"),
    ] {
        let output = bench.run("out", &[option, value]);
        assert_eq!(exit(&output), 2, "{option} {value}: {}", stderr(&output));
        assert!(stderr(&output).contains(option), "{}", stderr(&output));
    }
}

#[test]
fn a_folder_that_cannot_hold_logs_is_refused() {
    let bench = Bench::new("mistake-folder", BENCH);
    for (log_dir, expected) in [
        ("tea.pddl", "tea.pddl: is no folder"),
        ("tea.pddl/out", "cannot be written"),
        ("/proc/out", "cannot be written"),
    ] {
        let output = bench.run(log_dir, &NOBODY);
        assert_eq!(exit(&output), 2, "{}", stderr(&output));
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
}

#[test]
fn a_header_that_is_none_is_refused_with_a_way_out() {
    for (index, header) in ["", "{", "[]", "\"x\"", "{}", "{\"models\": 3}", "\u{0}"]
        .iter()
        .enumerate()
    {
        let bench = Bench::new(&format!("mistake-header{index}"), BENCH);
        fs::create_dir_all(bench.folder.join("out")).unwrap();
        fs::write(bench.folder.join("out/header.json"), header).unwrap();
        let output = bench.run("out", &NOBODY);
        assert_eq!(exit(&output), 2, "{header}: {}", stderr(&output));
        assert!(
            stderr(&output).contains("give `--log-dir` another folder"),
            "{}",
            stderr(&output)
        );
        assert_eq!(bench.read("out/header.json"), *header);
    }
}

#[test]
fn a_name_with_trial_in_it_is_not_taken_for_a_trial() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new(
        "mistake-trial",
        &BENCH.replace("name = \"react\"", "name = \"trial\""),
    );
    let arguments = ["--base-url", &endpoint.base_url(), "--format", "json"];
    let output = bench.run("out", &arguments);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let summary: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(summary["spent"], summary["counted"]);
}
