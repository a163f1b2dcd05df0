//! Files of an evaluation's folder that were cut or are gone: none is left out of figures unseen.

use std::fs;
use std::path::PathBuf;

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint};

/// An evaluation of a design that tries again, whose model never gets anywhere.
fn trials(name: &str) -> (Bench, Endpoint, Vec<PathBuf>) {
    let text = BENCH.replace("agents = \"react\"", "agents = \"reflexion\"");
    let bench = Bench::new(name, &text);
    let endpoint = Endpoint::start_with(|_| Answer::text("Reasoning: later\nAction: wait"));
    let output = bench.run("out", &["--base-url", &endpoint.base_url()]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let logs = fs::read_dir(bench.folder.join("out/episodes")).unwrap();
    let logs = logs.map(|log| log.unwrap().path());
    let mut trials: Vec<PathBuf> = logs
        .filter(|log| log.to_string_lossy().contains(".seed1.epoch1.trial"))
        .collect();
    trials.sort();
    assert!(trials.len() >= 2, "{trials:?}");
    (bench, endpoint, trials)
}

#[test]
fn a_trial_that_was_cut_or_is_gone_is_refused() {
    let (bench, endpoint, trials) = trials("trials");
    let url = endpoint.base_url();
    let files = bench.files("out");
    let asked = endpoint.requests().len();
    for trial in &trials {
        let whole = fs::read_to_string(trial).unwrap();
        let lines: Vec<&str> = whole.split_inclusive('\n').collect();
        let without_end = lines[..lines.len() - 1].concat();
        for damage in [&without_end, &whole[..whole.len() / 2], lines[0], ""] {
            fs::write(trial, damage).unwrap();
            let output = bench.run("out", &["--base-url", &url]);
            assert_eq!(exit(&output), 2, "{}", stderr(&output));
            let name = trial.file_name().unwrap().to_string_lossy();
            assert!(stderr(&output).contains(&*name), "{}", stderr(&output));
        }
        fs::remove_file(trial).unwrap();
        for more in [&[][..], &["--dry-run"]] {
            let output = bench.run("out", &[&["--base-url", &url], more].concat());
            assert_eq!(exit(&output), 2, "{}", stderr(&output));
            let said = stderr(&output);
            assert!(said.contains("the log of this trial is gone"), "{said}");
            assert!(said.contains("help: put the file back"), "{said}");
        }
        fs::write(trial, &whole).unwrap();
    }
    assert_eq!(
        (bench.files("out"), endpoint.requests().len()),
        (files, asked)
    );
    // The way out: the episode is played again, and no trial of before is left in it.
    fs::remove_file(&trials[0]).unwrap();
    fs::remove_file(
        bench
            .folder
            .join("out/episodes/tea.react.mock.seed1.epoch1.jsonl"),
    )
    .unwrap();
    let before = bench.read("out/index.jsonl");
    let output = bench.run("out", &["--base-url", &url]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    assert_eq!(bench.read("out/index.jsonl"), before);
}

#[test]
fn a_trial_of_another_episode_is_refused() {
    let (bench, endpoint, trials) = trials("other-trials");
    fs::copy(&trials[1], &trials[0]).unwrap();
    let output = bench.run("out", &["--base-url", &endpoint.base_url()]);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("the log is of another trial"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn an_attempt_that_was_cut_or_is_gone_is_refused_with_a_way_out() {
    let mut left = 2;
    let endpoint = Endpoint::start_with(move |request| {
        left -= 1;
        if left < 0 {
            Answer::status(500, "out of order")
        } else {
            cook(request)
        }
    });
    let bench = Bench::new("attempts", BENCH);
    let arguments = ["--base-url", &endpoint.base_url(), "--max-connections", "1"];
    assert_eq!(exit(&bench.run("out", &arguments)), 1);
    drop(endpoint);
    let endpoint = Endpoint::start_with(cook);
    let arguments = ["--base-url", &endpoint.base_url()];
    assert_eq!(exit(&bench.run("out", &arguments)), 0);
    let files = bench.files("out");
    let asked = endpoint.requests().len();
    let attempt = bench
        .folder
        .join("out/attempts/tea.react.mock.seed1.epoch1.1.jsonl");
    let whole = fs::read_to_string(&attempt).unwrap();
    for damage in [Some(&whole[..whole.len() / 2]), Some(""), None] {
        match damage {
            Some(text) => fs::write(&attempt, text).unwrap(),
            None => fs::remove_file(&attempt).unwrap(),
        }
        let output = bench.run("out", &arguments);
        assert_eq!(exit(&output), 2, "{}", stderr(&output));
        assert!(
            stderr(&output).contains("would be missing in sums"),
            "{}",
            stderr(&output)
        );
    }
    fs::write(&attempt, whole).unwrap();
    assert_eq!(exit(&bench.run("out", &arguments)), 0);
    assert_eq!(
        (bench.files("out"), endpoint.requests().len()),
        (files, asked)
    );
    fs::remove_file(&attempt).unwrap();
    fs::remove_file(bench.folder.join("out/checks/attempts.jsonl")).unwrap();
    assert_eq!(exit(&bench.run("out", &arguments)), 0);
}

#[test]
fn what_is_derived_is_made_anew() {
    let endpoint = Endpoint::start_with(cook);
    let bench = Bench::new("derived", BENCH);
    let url = endpoint.base_url();
    let arguments = ["--base-url", &url[..]];
    assert_eq!(exit(&bench.run("out", &arguments)), 0);
    let files = bench.files("out");
    let asked = endpoint.requests().len();
    for name in ["process.jsonl", "index.jsonl", "summary.json"] {
        let path = bench.folder.join("out").join(name);
        let whole = fs::read_to_string(&path).unwrap();
        for damage in [Some(&whole[..whole.len() / 2]), Some(""), None] {
            match damage {
                Some(text) => fs::write(&path, text).unwrap(),
                None => fs::remove_file(&path).unwrap(),
            }
            let output = bench.run("out", &arguments);
            assert_eq!(exit(&output), 0, "{}", stderr(&output));
            assert_eq!(bench.files("out"), files, "{name}");
        }
    }
    assert_eq!(endpoint.requests().len(), asked);
}

#[test]
fn an_episode_whose_log_is_gone_is_reported_and_measured_as_it_is_played_then() {
    let bench = Bench::new("gone", BENCH);
    let endpoint = Endpoint::start_with(cook);
    assert_eq!(
        exit(&bench.run("out", &["--base-url", &endpoint.base_url()])),
        0
    );
    drop(endpoint);
    let log = "tea.react.mock.seed1.epoch1.jsonl";
    fs::remove_file(bench.folder.join("out/episodes").join(log)).unwrap();
    // Another model, of which the metrics are others.
    let endpoint = Endpoint::start_with(|_| Answer::text("Reasoning: later\nAction: wait"));
    let output = bench.run("out", &["--base-url", &endpoint.base_url()]);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let expected = format!("{log}: the log is gone; the episode is played again");
    assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
    let line = &bench.lines("out/index.jsonl")[0];
    assert_eq!(
        (&line["success"], &line["process"]["end"]["success"]),
        (&false.into(), &false.into())
    );
    let measured = bench.read("out/process.jsonl");
    fs::remove_file(bench.folder.join("out/process.jsonl")).unwrap();
    assert_eq!(
        exit(&bench.run("out", &["--base-url", &endpoint.base_url()])),
        0
    );
    assert_eq!(bench.read("out/process.jsonl"), measured);
}
