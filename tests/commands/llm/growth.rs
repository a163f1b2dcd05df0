//! A bench file that has run may change: what is finished is not played again, and means what it meant.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint};

/// Plays the bench file of a folder with these arguments, which must be done.
fn play(bench: &Bench, log_dir: &str, url: &str) -> Output {
    let output = bench.run(log_dir, &["--base-url", url]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    output
}

/// Changes a file beside the bench file, or that.
fn put(bench: &Bench, file: &str, text: &str) {
    fs::write(bench.folder.join(file), text).unwrap();
}

/// The bench file with one seed.
fn one_seed() -> String {
    BENCH.replace("[1, 2]", "[1]")
}

/// The document on standard output.
fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}

const MORE: &str = r#"
seeds = [2, 1]
epochs = 2
max-ticks = 6

[models.other]
action-format = "text"
timeout = 5

[models.mock]
action-format = "text"
max-retries = 0
timeout = 5

[[problems]]
path = "tea.pddl"
name = "Again"

[[problems]]
path = "tea.pddl"

[[setups]]
name = "random"
agents = "random"

[[setups]]
name = "react"
agents = "react"

[[setups]]
name = "planner"
agents = "planner"
"#;

#[test]
fn a_folder_that_has_grown_in_steps_is_that_of_one_run() {
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let bench = Bench::new("grown", &one_seed());
    play(&bench, "out", &url);
    let (first, second) = MORE.split_once("[models.other]").unwrap();
    let (_, second) = second.split_once("[models.mock]").unwrap();
    let text = format!("{first}[models.mock]{second}");
    put(
        &bench,
        "bench.toml",
        &text.replace("seeds = [2, 1]", "seeds = [1, 2]"),
    );
    play(&bench, "out", &url);
    put(&bench, "bench.toml", MORE);
    let before = endpoint.requests().len();
    play(&bench, "out", &url);
    let added = endpoint.requests().len() - before;
    play(&bench, "whole", &url);
    let whole = endpoint.requests().len() - before - added;
    // Only the second model is asked in the last step.
    assert_eq!(2 * added, whole);
    assert_eq!(bench.files("out"), bench.files("whole"));
    assert_eq!(bench.lines("out/index.jsonl").len(), 2 * 2 * 2 * 4);
    // In another order, of models as well.
    let swapped = MORE.replace("models.other", "models.it");
    let swapped = swapped.replace("models.mock", "models.other");
    put(
        &bench,
        "bench.toml",
        &swapped.replace("models.it", "models.mock"),
    );
    play(&bench, "out", &url);
    play(&bench, "swapped", &url);
    assert_eq!(bench.files("out"), bench.files("swapped"));
}

#[test]
fn a_file_that_is_put_otherwise_is_the_same_evaluation() {
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let bench = Bench::new(
        "otherwise",
        &BENCH.replace("\"react\"\n\n", "\"mine/react.toml\"\n\n"),
    );
    let design = Path::new(env!("CARGO_MANIFEST_DIR")).join("agents/react.toml");
    let design = fs::read_to_string(design).unwrap();
    fs::create_dir(bench.folder.join("mine")).unwrap();
    put(&bench, "mine/react.toml", &design);
    play(&bench, "out", &url);
    let asked = endpoint.requests().len();
    fs::create_dir(bench.folder.join("moved")).unwrap();
    put(&bench, "moved/react.toml", &format!("# Moved.\n{design}"));
    let problem = bench.read("tea.pddl");
    put(&bench, "tea.pddl", &format!("; A comment.\n{problem}"));
    let text = r#"
        # The same.
        [[setups]]
        agents = "planner"
        name = "planner"
        max-ticks = 6
        [[setups]]
        name = "react"
        agents = "moved/react.toml"
        except = { ANN = "moved/react.toml" }
        [[problems]]
        path = "./tea.pddl"
        max-ticks = 9
        budget = 2
        [models.mock]
        model = "mock"
        timeout = 7
        max-retries = 1
        action-format = "text"
        max-tokens-field = "max_completion_tokens"
        price = { input = 1, output = 2 }
    "#;
    put(&bench, "bench.toml", &format!("seeds = [2, 1]\n{text}"));
    let output = play(&bench, "out", &url);
    assert_eq!(endpoint.requests().len(), asked);
    assert!(
        stderr(&output).contains("4 of 4 episodes are finished"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_corrected_price_gives_new_costs_and_no_new_questions() {
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let priced = |price: &str| BENCH.replace("timeout = 5", &format!("timeout = 5\n{price}"));
    let bench = Bench::new("repriced", &priced("price = { input = 1, output = 2 }"));
    play(&bench, "out", &url);
    let asked = endpoint.requests().len();
    put(
        &bench,
        "bench.toml",
        &priced("price = { input = 100, output = 3 }"),
    );
    let output = bench.run("out", &["--base-url", &url, "--format", "json"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert_eq!(endpoint.requests().len(), asked);
    let summary = document(&output);
    let tokens = |kind: &str| summary["counted"][kind].as_f64().unwrap();
    let cost = summary["cost_counted"].as_f64().unwrap();
    assert!((cost - (100.0 * tokens("input") + 3.0 * tokens("output")) / 1e6).abs() < 1e-12);
    put(&bench, "bench.toml", BENCH);
    play(&bench, "out", &url);
    play(&bench, "whole", &url);
    assert_eq!(bench.files("out"), bench.files("whole"));
}

#[test]
fn what_would_change_a_finished_episode_is_refused_with_its_key_and_both_values() {
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let bench = Bench::new("changed", BENCH);
    play(&bench, "out", &url);
    let asked = endpoint.requests().len();
    let files = bench.files("out");
    let model = |key: &str| BENCH.replace("timeout = 5", &format!("timeout = 5\n{key}"));
    let setup =
        |key: &str| BENCH.replace("agents = \"react\"", &format!("agents = \"react\"\n{key}"));
    for (text, expected) in [
        (
            model("temperature = 0.5"),
            "`temperature` of model `mock` was not given, and is now 0.5 (2 finished)",
        ),
        (
            model("seeded = false"),
            "`seeded` of model `mock` was true, and is now false",
        ),
        (
            model("parse = \"lenient\""),
            "`parse` of model `mock` was \"strict\"",
        ),
        (
            model("model = \"big\""),
            "`model` of model `mock` was \"mock\", and is now \"big\"",
        ),
        (
            model("extra-body = { top_k = 3 }"),
            "`extra-body` of model `mock` was not given",
        ),
        (
            BENCH.replace("\"text\"", "\"json\""),
            "`action-format` of model `mock` was \"text\", and is now \"json\"",
        ),
        (
            BENCH.replace("max-ticks = 6", "max-ticks = 7"),
            "of set-up `react` on problem `tea` was 6, and is now 7 (2 finished)",
        ),
        (
            BENCH.replace("max-ticks = 6", "budget = 1.5"),
            "(`max-ticks` or `budget`) of set-up `planner` on problem `tea` was 6, and is now 5",
        ),
        (
            setup("max-ticks = 5"),
            "of set-up `react` on problem `tea` was 6, and is now 5",
        ),
        (
            BENCH.replace("agents = \"planner\"", "agents = \"greedy\""),
            "`agents` of set-up `planner` was \"planner\", and is now \"greedy\"",
        ),
        (
            setup("except = { bob = \"random\" }"),
            "`except.bob` of set-up `react` was \"react\", and is now \"random\"",
        ),
        (
            setup("change = { correction = { retries = 7 } }"),
            "`correction.retries` of design `react`, of set-up `react`,",
        ),
    ] {
        put(&bench, "bench.toml", &text);
        for more in [&[][..], &["--dry-run"]] {
            let output = bench.run("out", &[&["--base-url", &url], more].concat());
            let said = stderr(&output);
            assert_eq!(exit(&output), 2, "{expected}: {said}");
            assert!(said.contains(expected), "{expected}: {said}");
            assert!(said.contains("help: go back"), "{said}");
        }
    }
    put(&bench, "bench.toml", BENCH);
    let domain = bench.read("tea-domain.pddl");
    for (was, is, expected) in [
        (
            "(after 2 (hot))",
            "(after 3 (hot))",
            "`task` of problem `tea` was",
        ),
        (
            "the water is hot",
            "it boils",
            "`words` of problem `tea` was",
        ),
    ] {
        put(&bench, "tea-domain.pddl", &domain.replace(was, is));
        let output = bench.run("out", &["--base-url", &url]);
        assert_eq!(exit(&output), 2);
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    }
    put(&bench, "tea-domain.pddl", &domain);
    assert_eq!(bench.files("out"), files);
    play(&bench, "out", &url);
    assert_eq!(
        (bench.files("out"), endpoint.requests().len()),
        (files, asked)
    );
}

#[test]
fn what_no_finished_episode_depends_on_may_change() {
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let bench = Bench::new("free", BENCH);
    // Of the first set-up alone.
    let output = bench.run("out", &["--base-url", &url, "--limit", "2"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let text = BENCH.replace(
        "name = \"planner\"\nagents = \"planner\"",
        "name = \"planner\"\nagents = \"greedy\"\nmax-ticks = 3",
    );
    assert_ne!(text, BENCH);
    put(&bench, "bench.toml", &text);
    play(&bench, "out", &url);
    play(&bench, "whole", &url);
    assert_eq!(bench.files("out"), bench.files("whole"));
}

#[test]
fn a_file_that_has_shrunk_keeps_what_is_finished_and_leaves_it_out_of_tables() {
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let bench = Bench::new("shrunk", MORE);
    play(&bench, "out", &url);
    let (whole, asked) = (bench.files("out"), endpoint.requests().len());
    put(&bench, "bench.toml", &one_seed());
    let output = bench.run("out", &["--base-url", &url, "--format", "json"]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert!(
        stderr(&output).contains("30 finished episodes"),
        "{}",
        stderr(&output)
    );
    assert_eq!(document(&output)["finished"], 2);
    assert_eq!(bench.lines("out/index.jsonl").len(), 2);
    // What was left out is not to come back as something else.
    let changed = MORE.replace(
        "name = \"random\"\nagents = \"random\"",
        "name = \"random\"\nagents = \"greedy\"",
    );
    put(&bench, "bench.toml", &changed);
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 2);
    let expected = "`agents` of set-up `random` was \"random\", and is now \"greedy\" (8 finished)";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    let changed = MORE.replace("[models.other]", "[models.other]\ntop-p = 0.5");
    put(&bench, "bench.toml", &changed);
    let output = bench.run("out", &["--base-url", &url]);
    assert!(
        stderr(&output).contains("`top-p` of model `other`"),
        "{}",
        stderr(&output)
    );
    put(&bench, "bench.toml", MORE);
    play(&bench, "out", &url);
    assert_eq!(
        (bench.files("out"), endpoint.requests().len()),
        (whole, asked)
    );
}

#[test]
fn models_one_by_one_are_the_models_together_and_what_they_have_spent() {
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let bench = Bench::new("one-by-one", MORE);
    for model in ["mock", "other"] {
        let output = bench.run("out", &["--base-url", &url, "--model", model]);
        assert_eq!(exit(&output), 0, "{}", stderr(&output));
    }
    let spending: Value = serde_json::from_str(&bench.read("out/spending.json")).unwrap();
    for model in ["mock", "other"] {
        assert!(
            spending["models"][model]["input"].as_u64().unwrap() > 0,
            "{spending}"
        );
    }
    let spent = 15 * endpoint.requests().len();
    let limit = spent.to_string();
    let mine = [
        "--base-url",
        &url,
        "--model",
        "mock",
        "--epochs",
        "3",
        "--token-limit",
        &limit,
    ];
    assert_eq!(
        exit(&bench.run("out", &mine)),
        3,
        "what the other model has spent counts"
    );
    play(&bench, "out", &url);
    play(&bench, "whole", &url);
    let all = |log_dir: &str| {
        let mut files = bench.files(log_dir);
        // Of the repetition that is left out, and attempts that the limit has cut short.
        files.retain(|(name, _)| !name.contains(".epoch3.") && !name.ends_with(".1.jsonl"));
        files
    };
    assert_eq!(all("out"), all("whole"));
}

#[test]
fn a_run_that_is_killed_while_it_grows_loses_nothing() {
    let left = Arc::new(AtomicUsize::new(usize::MAX));
    let of_cook = Arc::clone(&left);
    let endpoint = Endpoint::start_with(move |request| {
        let take = |left: usize| left.checked_sub(1);
        let taken = of_cook.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take);
        taken.map_or_else(|_| Answer::hang(), |_| cook(request))
    });
    let url = endpoint.base_url();
    let bench = Bench::new("grown-killed", &one_seed());
    play(&bench, "out", &url);
    let first = endpoint.requests().len();
    put(&bench, "bench.toml", MORE);
    let arguments = ["--base-url", &url, "--max-connections", "1"];
    for answers in 0..4 {
        left.store(answers, Ordering::SeqCst);
        let asked = endpoint.requests().len();
        let mut command = bench.command("out", &arguments);
        let mut run = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while endpoint.requests().len() <= asked + answers {
            thread::sleep(Duration::from_millis(1));
        }
        run.kill().unwrap();
        run.wait().unwrap();
    }
    left.store(usize::MAX, Ordering::SeqCst);
    let asked = endpoint.requests().len();
    play(&bench, "out", &url);
    let last = endpoint.requests().len() - asked;
    play(&bench, "whole", &url);
    let whole = endpoint.requests().len() - asked - last;
    assert!(
        last <= whole - first,
        "{last} of {whole}, of which there were {first}"
    );
    let all = |log_dir: &str| {
        let mut files = bench.files(log_dir);
        let attempts = bench.folder.join(log_dir).join("attempts");
        files.retain(|(name, _)| !attempts.join(name).exists() && name != "summary.json");
        files
    };
    assert_eq!(all("out"), all("whole"));
}

#[test]
fn a_folder_with_names_of_files_as_they_were_goes_on() {
    let endpoint = Endpoint::start_with(cook);
    let url = endpoint.base_url();
    let text = BENCH.replace("name = \"react\"", "name = \"React, twice\"");
    let bench = Bench::new("old-names", &text);
    play(&bench, "out", &url);
    let (files, asked) = (bench.files("out"), endpoint.requests().len());
    let episodes = bench.folder.join("out/episodes");
    let mut moved = 0;
    for entry in fs::read_dir(&episodes).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some((_, rest)) = name.split_once('~') {
            let (_, rest) = rest.split_once('.').unwrap();
            let old = episodes.join(format!("tea.React__twice.{rest}"));
            fs::rename(episodes.join(&name), old).unwrap();
            moved += 1;
        }
    }
    assert_eq!(moved, 2);
    // An earlier version knew no more of a problem than hashes of its files and task.
    let mut header: Value = serde_json::from_str(&bench.read("out/header.json")).unwrap();
    header["problems"][0]
        .as_object_mut()
        .unwrap()
        .remove("words");
    put(&bench, "out/header.json", &header.to_string());
    let dry = bench.run("out", &["--base-url", &url, "--dry-run"]);
    assert_eq!(exit(&dry), 0, "{}", stderr(&dry));
    play(&bench, "out", &url);
    assert_eq!(
        (bench.files("out"), endpoint.requests().len()),
        (files, asked)
    );
}
