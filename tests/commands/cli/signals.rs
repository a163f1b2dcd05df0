//! The effects of Ctrl-C, SIGTERM and SIGHUP on a run.

use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use crate::cli::{Scratch, command};

/// A search for it takes much longer than a test.
const LONG: &str = "problems/collab-overcooked/taro_bean_and_bell_pepper_patty.pddl";

fn start(command: &mut Command) -> Child {
    command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn send(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args([signal, &pid[..]]).status();
    assert!(sent.unwrap().success(), "{signal}");
}

/// Sends signals to a process, one a second, and waits for its end.
fn signalled(child: Child, signals: &[&str]) -> Output {
    for signal in signals {
        std::thread::sleep(Duration::from_secs(1));
        send(&child, signal);
    }
    child.wait_with_output().unwrap()
}

fn assert_gives_bounds(output: Output) {
    assert_eq!(output.status.code(), Some(3));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.starts_with("not solved: the search was interrupted; makespan at least "),
        "{text}"
    );
}

#[test]
fn an_interrupted_search_gives_bounds() {
    for signal in ["-INT", "-TERM"] {
        let child = start(&mut command(&["plan", LONG]));
        assert_gives_bounds(signalled(child, &[signal]));
    }
}

/// As `timeout` sends them: to the process, and to its group.
#[test]
fn two_signals_at_once_are_one() {
    let child = start(&mut command(&["plan", LONG]));
    std::thread::sleep(Duration::from_secs(1));
    send(&child, "-TERM");
    std::thread::sleep(Duration::from_millis(3));
    send(&child, "-TERM");
    assert_gives_bounds(child.wait_with_output().unwrap());
}

#[test]
fn an_interrupted_run_leaves_a_log_that_ends() {
    let scratch = Scratch::new("interrupted-run");
    let log = scratch.path("log.jsonl");
    let child = start(&mut command(&["run", LONG, "--log", &log]));
    let output = signalled(child, &["-TERM"]);
    assert_eq!(output.status.code(), Some(3));
    let log = std::fs::read_to_string(log).unwrap();
    let last: serde_json::Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], "end", "{log}");
    assert_eq!(last["reason"], "interrupted", "{log}");
}

#[test]
fn a_search_under_nohup_outlives_its_terminal() {
    let mut shell = Command::new("sh");
    shell
        .args(["-c", r#"trap "" HUP; exec "$@""#, "sh"])
        .args([env!("CARGO_BIN_EXE_brigade"), "plan", LONG])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .stdin(Stdio::null());
    assert_gives_bounds(signalled(start(&mut shell), &["-HUP", "-TERM"]));
}

#[test]
fn a_second_signal_ends_a_run_at_once() {
    for (signals, code) in [
        (["-INT", "-INT"], 130),
        (["-TERM", "-TERM"], 143),
        (["-INT", "-TERM"], 143),
    ] {
        // A log is more than a pipe holds that nobody reads; it polls nothing meanwhile.
        let args = [
            "run",
            LONG,
            "--others",
            "random",
            "--max-ticks",
            "100000",
            "--log",
            "-",
        ];
        let mut child = start(&mut command(&args));
        let output = child.stdout.take();
        let ended = signalled(child, &signals);
        drop(output);
        assert_eq!(ended.status.code(), Some(code), "{signals:?}");
    }
}
