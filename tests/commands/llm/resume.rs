//! A run of `brigade bench` that is cut short, by whatever, goes on: it loses nothing, and plays nothing
//! twice.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::llm::bench::{BENCH, Bench, cook, exit, stderr};
use crate::llm::endpoint::{Answer, Endpoint};

/// One request at a time: so it is known which are sent before the run is cut short.
const ONE_BY_ONE: [&str; 2] = ["--max-connections", "1"];

/// A cook who answers so many requests and then leaves the next one waiting.
struct Patience {
    endpoint: Endpoint,
    left: Arc<AtomicUsize>,
}

impl Patience {
    /// One that answers all.
    fn new() -> Self {
        let left = Arc::new(AtomicUsize::new(usize::MAX));
        let of_cook = Arc::clone(&left);
        let endpoint = Endpoint::start_with(move |request| {
            let take = |left: usize| left.checked_sub(1);
            let taken = of_cook.fetch_update(Ordering::SeqCst, Ordering::SeqCst, take);
            taken.map_or_else(|_| Answer::hang(), |_| cook(request))
        });
        Self { endpoint, left }
    }

    fn answers(&self, answers: usize) {
        self.left.store(answers, Ordering::SeqCst);
    }

    /// The bodies of all requests since so many.
    fn asked(&self, since: usize) -> Vec<String> {
        let requests = self.endpoint.requests().into_iter().skip(since);
        requests.map(|request| request.body).collect()
    }

    /// Waits until there was this number of requests, or the run has ended.
    fn wait_for(&self, requests: usize, run: &mut Child) {
        while self.endpoint.requests().len() < requests && run.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    fn arguments<'a>(&self, url: &'a mut String, more: &[&'a str]) -> Vec<&'a str> {
        *url = self.endpoint.base_url();
        [&["--base-url", &url[..]], &ONE_BY_ONE[..], more].concat()
    }
}

fn start(mut command: Command) -> Child {
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Returns the files of finished episodes in a folder, and the summary without the spending of all attempts.
fn finished(bench: &Bench, log_dir: &str) -> Vec<(String, String)> {
    let mut files = bench.files(log_dir);
    let attempts = bench.folder.join(log_dir).join("attempts");
    files.retain(|(name, _)| !attempts.join(name).exists());
    for (name, text) in &mut files {
        if name == "summary.json" {
            let mut summary: Value = serde_json::from_str(text).unwrap();
            summary.as_object_mut().unwrap().remove("spent");
            *text = summary.to_string();
        }
    }
    files
}

/// Returns the number of requests that the finished episodes of a folder have taken.
fn used(bench: &Bench, log_dir: &str) -> usize {
    let folder = bench.folder.join(log_dir).join("episodes");
    let logs = fs::read_dir(folder).unwrap().map(|log| log.unwrap().path());
    let whole = logs.filter(|log| log.extension().is_some_and(|ending| ending == "jsonl"));
    let texts = whole.map(|log| fs::read_to_string(log).unwrap());
    texts
        .map(|text| text.matches("{\"event\":\"call\"").count())
        .sum()
}

/// Plays the evaluation without a disturbance, into `whole`; the endpoint, and the bodies of its requests.
fn undisturbed(bench: &Bench) -> (Patience, Vec<String>) {
    let patience = Patience::new();
    let output = bench.run("whole", &patience.arguments(&mut String::new(), &[]));
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    let asked = patience.asked(0);
    (patience, asked)
}

/// A run that was cut short.
struct Cut {
    output: Output,
    /// The tokens of questions that were answered in vain, and how many of them the summary knows.
    lost: u64,
    known: u64,
}

/// Cuts a run short in the middle of its second episode, lets it go on, and compares.
fn cut_short(name: &str, end: impl FnOnce(Child) -> Output) -> Cut {
    let bench = Bench::new(name, BENCH);
    let (patience, whole) = undisturbed(&bench);
    let all = whole.len();
    let answered = all - 3;
    patience.answers(answered);
    let mut url = String::new();
    let arguments = patience.arguments(&mut url, &[]);
    let mut run = start(bench.command("out", &arguments));
    patience.wait_for(all + answered + 1, &mut run);
    let output = end(run);
    assert_eq!(patience.asked(all), whole[..=answered]);
    let kept = used(&bench, "out");
    assert!(0 < kept && kept < answered, "{kept} of {answered}");
    patience.answers(usize::MAX);
    let again = bench.run("out", &arguments);
    assert_eq!(exit(&again), 0, "{}", stderr(&again));
    assert!(
        stderr(&again).contains("going on: 1 of 4"),
        "{}",
        stderr(&again)
    );
    // Nothing of the finished episode is asked again, and all of the other one.
    assert_eq!(patience.asked(all + answered + 1), whole[kept..]);
    assert_eq!(finished(&bench, "out"), finished(&bench, "whole"));
    let summary: Value = serde_json::from_str(&bench.read("out/summary.json")).unwrap();
    let spent = |what: &str| summary[what]["input"].as_u64().unwrap();
    Cut {
        output,
        // 10 for each.
        lost: 10 * (answered - kept) as u64,
        known: spent("spent") - spent("counted"),
    }
}

#[test]
fn a_run_that_is_killed_goes_on_where_it_was() {
    let cut = cut_short("kill", |mut run| {
        run.kill().unwrap();
        run.wait_with_output().unwrap()
    });
    // Also those of the timestep under way were written as they came.
    assert_eq!(cut.known, cut.lost);
}

#[test]
fn a_run_that_is_interrupted_goes_on_where_it_was() {
    let cut = cut_short("interrupt", |run| {
        let pid = run.id().to_string();
        let sent = Command::new("kill").args(["-INT", &pid]).status();
        assert!(sent.unwrap().success());
        run.wait_with_output().unwrap()
    });
    assert_eq!(exit(&cut.output), 3, "{}", stderr(&cut.output));
    let shown = String::from_utf8_lossy(&cut.output.stdout).into_owned();
    assert!(shown.contains("interrupted"), "{shown}");
    assert_eq!(cut.known, cut.lost);
}

/// Kills a run whenever it has had so many answers, out of those that all its episodes take, until it
/// ends by itself.
fn kill_again_and_again(threads: &str, answers: impl FnOnce(usize) -> usize) {
    let text = BENCH.replace("[1, 2]", "[1, 2, 3]");
    let bench = Bench::new(&format!("again-{threads}"), &text);
    let (patience, whole) = undisturbed(&bench);
    let answers = answers(whole.len());
    let url = patience.endpoint.base_url();
    let arguments = ["--base-url", &url, "--max-connections", threads];
    for kills in 0.. {
        assert!(kills < 10, "it does not get on");
        patience.answers(answers);
        let before = patience.asked(0).len();
        let mut run = start(bench.command("out", &arguments));
        patience.wait_for(before + answers + 1, &mut run);
        // It may have ended by itself.
        let _ = run.kill();
        if run.wait_with_output().unwrap().status.success() {
            assert!(kills > 0);
            break;
        }
    }
    assert_eq!(finished(&bench, "out"), finished(&bench, "whole"));
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_one_that_was_not() {
    // A little more than one of the three episodes takes.
    kill_again_and_again("1", |all| all / 3 + 2);
    // All but one answer, so that some episodes are finished.
    kill_again_and_again("4", |all| all - 1);
}

#[test]
fn a_cassette_goes_on_as_its_run_does() {
    let bench = Bench::new("record", BENCH);
    let (patience, whole) = undisturbed(&bench);
    let all = whole.len();
    let answered = all - 3;
    patience.answers(answered);
    let mut url = String::new();
    let arguments = patience.arguments(&mut url, &["--cassette", "record"]);
    let mut run = start(bench.command("out", &arguments));
    patience.wait_for(all + answered + 1, &mut run);
    let second = bench.run("other", &arguments);
    assert_eq!(exit(&second), 2);
    assert!(
        stderr(&second).contains("another run records on it"),
        "{}",
        stderr(&second)
    );
    run.kill().unwrap();
    run.wait().unwrap();
    patience.answers(usize::MAX);
    let output = bench.run("out", &arguments);
    assert_eq!(exit(&output), 0, "{}", stderr(&output));
    // What was on the cassette is not asked again.
    assert_eq!(patience.asked(all + answered + 1), whole[answered..]);
    let replayed = bench.run("replayed", &["--cassette", "replay"]);
    assert_eq!(exit(&replayed), 0, "{}", stderr(&replayed));
    let index = |log_dir: &str| bench.read(&format!("{log_dir}/index.jsonl"));
    assert_eq!(index("replayed"), index("whole"));
}

#[test]
fn a_recording_is_not_overwritten() {
    let bench = Bench::new("overwrite", BENCH);
    let patience = Patience::new();
    let mut url = String::new();
    let arguments = patience.arguments(&mut url, &["--cassette", "record"]);
    assert_eq!(exit(&bench.run("a", &arguments)), 0);
    let cassette = bench.read("bench.cassette.jsonl");
    let output = bench.run("b", &arguments);
    assert_eq!(exit(&output), 2);
    assert!(
        stderr(&output).contains("the cassette is there already"),
        "{}",
        stderr(&output)
    );
    assert_eq!(bench.read("bench.cassette.jsonl"), cassette);
}

/// The log of an episode of the first set-up while it is written.
fn log_in_the_making(seed: u32) -> String {
    format!("out/episodes/tea.react.mock.seed{seed}.epoch1.jsonl.part")
}

#[cfg(target_os = "linux")]
#[test]
fn a_run_whose_log_is_no_file_says_so_and_goes_on_when_it_is_gone() {
    let bench = Bench::new("full", BENCH);
    let (patience, whole) = undisturbed(&bench);
    let mut url = String::new();
    let arguments = patience.arguments(&mut url, &[]);
    fs::create_dir_all(bench.folder.join("out/episodes")).unwrap();
    let log = bench.folder.join(log_in_the_making(2));
    std::os::unix::fs::symlink("/dev/full", &log).unwrap();
    let output = bench.run("out", &arguments);
    assert_eq!(exit(&output), 2, "{}", stderr(&output));
    let expected = "epoch1.jsonl.part: is a device; a file is needed";
    assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    let kept = used(&bench, "out");
    assert_eq!(patience.asked(whole.len()), whole[..kept]);
    fs::remove_file(log).unwrap();
    let again = bench.run("out", &arguments);
    assert_eq!(exit(&again), 0, "{}", stderr(&again));
    assert_eq!(patience.asked(whole.len()), whole);
    assert_eq!(finished(&bench, "out"), finished(&bench, "whole"));
}

/// Runs a command of a shell that lets no file grow beyond so many blocks.
fn limited(bench: &Bench, blocks: u32, arguments: &[&str]) -> Output {
    let brigade = bench.command("out", arguments);
    let mut command = Command::new("sh");
    command
        .current_dir(&bench.folder)
        .args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")])
        .arg(brigade.get_program())
        .args(brigade.get_args())
        .env_remove("OPENAI_API_KEY")
        .stdin(Stdio::null());
    command.output().unwrap()
}

#[test]
fn a_limit_on_the_size_of_files_is_reported_and_what_was_recorded_before_is_kept() {
    let bench = Bench::new("size", BENCH);
    let (patience, whole) = undisturbed(&bench);
    let mut url = String::new();
    let arguments = patience.arguments(&mut url, &["--cassette", "record"]);
    // A log, the header and the summary fit, the cassette of two episodes does not.
    let size = |file: &str| fs::metadata(bench.folder.join(file)).unwrap().len();
    let log = size("whole/episodes/tea.react.mock.seed1.epoch1.jsonl");
    let largest = log.max(size("whole/header.json"));
    let largest = largest.max(size("whole/summary.json"));
    let blocks = u32::try_from(largest.div_ceil(512)).unwrap() + 2;
    let output = limited(&bench, blocks, &arguments);
    assert_ne!(exit(&output), 0, "{}", stderr(&output));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        said.contains("the cassette cannot be written: File too large"),
        "{said}"
    );
    let asked = patience.asked(whole.len()).len();
    let lines = bench.read("bench.cassette.jsonl").matches('\n').count();
    // The one answer that could not be written is lost, and no further question is asked.
    assert_eq!(lines, asked - 1, "{said}");
    let again = bench.run("out", &arguments);
    assert_eq!(exit(&again), 0, "{}", stderr(&again));
    assert_eq!(finished(&bench, "out"), finished(&bench, "whole"));
    let replayed = bench.run("replayed", &["--cassette", "replay"]);
    assert_eq!(exit(&replayed), 0, "{}", stderr(&replayed));
}

#[test]
fn a_damaged_log_is_reported_with_a_way_out() {
    let bench = Bench::new("damaged", BENCH);
    let (patience, whole) = undisturbed(&bench);
    let log = "whole/episodes/tea.react.mock.seed1.epoch1.jsonl";
    let path = bench.folder.join(log);
    let text = bench.read(log);
    let cut = text.len() - 10;
    let mut url = String::new();
    let arguments = patience.arguments(&mut url, &[]);
    let is_lost = text.replace("\"reason\":\"goal\"", "\"reason\":\"horizon\"");
    let is_shorter = text.replace("\"ticks\":3", "\"ticks\":2");
    let other = bench.read("whole/episodes/tea.react.mock.seed2.epoch1.jsonl");
    for (damage, expected) in [
        (&text[..cut], "the log has no end"),
        ("Dear diary,\n", "line 1"),
        ("", "the log has no header"),
        (&is_lost, "the log is not true"),
        (&is_shorter, "the log is not true"),
        (&other, "the log is of another episode"),
    ] {
        assert!(damage != text);
        fs::write(&path, damage).unwrap();
        let output = bench.run("whole", &arguments);
        assert_eq!(exit(&output), 2);
        let said = stderr(&output);
        assert!(
            said.contains(expected) && said.contains("or remove it"),
            "{said}"
        );
    }
    let before = finished_of(&bench, &path);
    fs::remove_file(&path).unwrap();
    assert_eq!(exit(&bench.run("whole", &arguments)), 0);
    assert_eq!(bench.read(log), text);
    let again = patience.asked(whole.len());
    assert_eq!(again, whole[..again.len()]);
    assert_eq!(finished_of(&bench, &path), before);
}

#[test]
fn a_log_of_which_lines_are_gone_is_refused() {
    let bench = Bench::new("gaps", BENCH);
    let (patience, _) = undisturbed(&bench);
    let log = "whole/episodes/tea.react.mock.seed1.epoch1.jsonl";
    let path = bench.folder.join(log);
    let text = bench.read(log);
    let mut url = String::new();
    let arguments = patience.arguments(&mut url, &[]);
    let mut kinds = Vec::new();
    for gone in text.lines() {
        let kind = ["call", "decision", "step"]
            .into_iter()
            .find(|kind| gone.contains(&format!("\"event\":\"{kind}\"")));
        let Some(kind) = kind else { continue };
        kinds.push(kind);
        let fewer: Vec<&str> = text.lines().filter(|line| *line != gone).collect();
        fs::write(&path, fewer.join("\n") + "\n").unwrap();
        let output = bench.run("whole", &arguments);
        assert_eq!(exit(&output), 2, "{gone}");
        let said = stderr(&output);
        let expected = match kind {
            "step" => ["the log is not true", "the ticks are not consecutive"],
            _ => ["lines of the log are gone"; 2],
        };
        assert!(expected.iter().any(|it| said.contains(it)), "{said}");
    }
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, ["call", "decision", "step"]);
    fs::write(&path, &text).unwrap();
    assert_eq!(exit(&bench.run("whole", &arguments)), 0);
}

/// Returns the files of the other episodes of a folder.
fn finished_of(bench: &Bench, but: &Path) -> Vec<(String, String)> {
    let mut files = bench.files("whole");
    files.retain(|(name, _)| name.ends_with("epoch1.jsonl") && !but.ends_with(name));
    files
}
