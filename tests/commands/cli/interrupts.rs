//! Ctrl-C and SIGTERM end every command with 3, and it reports what it leaves behind.

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::{ONE_EGG, Scratch, command, command_names, shown};

const EGG: &str = "tests/data/cli/egg.pddl";
const TEA: [&str; 2] = [
    "tests/data/import/tea-domain.json",
    "tests/data/import/tea-for-one.json",
];
/// A search for it takes much longer than a test.
const LONG: &str = "problems/collab-overcooked/taro_bean_and_bell_pepper_patty.pddl";
/// Longer than any command takes to begin, or to end.
const PATIENCE: Duration = Duration::from_mins(1);

/// Uses of commands that wait: for `@`, a pipe that is never written, or for `%`, a server
/// that never answers.
const LASTING: &[&[&str]] = &[
    &["check", "@"],
    &["check", "@", "--format", "json"],
    &["check", "@", "--facts", "--format", "json"],
    &["compile", "@", "--domain", EGG],
    &["plan", "@", "--domain", EGG],
    &["rats", "@", "--domain", EGG],
    &["replay", ONE_EGG, "@"],
    &["run", ONE_EGG, "--others", "scripted:@"],
    #[cfg(feature = "serve")]
    &["serve", "@", "--log-dir", "games"],
    &["observe", ONE_EGG, "--agent", "chef", "--after", "@"],
    &["score", "@", "--problem", ONE_EGG],
    &["score", "@", "--references", "tests/data/cli"],
    &["view", "@", "--no-open"],
    &["import", "robotouille", TEA[0], "@"],
    &["export", "@", "--to", "classical"],
    &["fmt", "--check", "@"],
    &["snapshot", "@"],
    &["diff", ONE_EGG, "@"],
    &["generate", "robotouille", "@"],
    &["demo", "@"],
    &["doctor", "--base-url", "%", "--model", "m"],
    &["bench", "bench.toml", "--log-dir", "logs"],
];

/// Commands that read nothing and search for nothing, or for a moment only.
const SHORT: [&str; 8] = [
    "agents",
    "completions",
    "domains",
    "explain",
    "help",
    "man",
    "new",
    "report",
];

fn start(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

fn send(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args([signal, &pid[..]]).status();
    assert!(sent.unwrap().success(), "{signal}");
}

/// Waits for the end of a process, which is not long.
fn ended(mut child: Child, args: &[&str]) -> Output {
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            panic!("`brigade {}` does not end", args.join(" "));
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

/// Does something that waits for a process, in a thread that is given up after some time.
fn waited<T: Send + 'static>(args: &[&str], work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    let done = receiver.recv_timeout(PATIENCE);
    done.unwrap_or_else(|_| panic!("`brigade {}` does not begin to wait", args.join(" ")))
}

fn assert_reported(args: &[&str], output: &Output) {
    assert_eq!(output.status.code(), Some(3), "{}", shown(args, output));
    let error = String::from_utf8_lossy(&output.stderr);
    let left = [
        "no file was written",
        "are finished are kept in",
        "the episode so far is in",
    ];
    assert!(
        left.iter().any(|left| error.contains(left)),
        "{}",
        shown(args, output)
    );
}

#[test]
fn every_command_that_lasts_is_interrupted() {
    for name in command_names() {
        let is_used = LASTING.iter().any(|args| args[0] == name);
        assert!(
            is_used || SHORT.contains(&&*name),
            "`{name}`: add to this test how it lasts"
        );
    }
    let scratch = Scratch::new("interrupts");
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", server.local_addr().unwrap());
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bench = scratch.file(
        "bench.toml",
        format!(
            "max-ticks = 5\n[models.m]\nbase-url = \"{url}\"\naction-format = \"text\"\n\
             [[problems]]\npath = {:?}\n[[setups]]\nname = \"react\"\nagents = \"react\"\n",
            root.join(ONE_EGG)
        ),
    );
    let logs = scratch.path("logs");
    for (number, args) in LASTING.iter().enumerate() {
        let pipe = scratch.path(&format!("pipe-{number}"));
        assert!(
            Command::new("mkfifo")
                .arg(&pipe)
                .status()
                .unwrap()
                .success()
        );
        let args: Vec<String> = args
            .iter()
            .map(|&arg| match arg {
                "bench.toml" => bench.clone(),
                "logs" => logs.clone(),
                arg => arg.replace('@', &pipe).replace('%', &url),
            })
            .collect();
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let child = start(&mut command(&args));
        let asks = matches!(args[0], "doctor" | "bench");
        // It waits once somebody else can write to its pipe, or it has asked.
        let (writer, connection) = if asks {
            let server = server.try_clone().unwrap();
            (None, Some(waited(&args, move || server.accept().unwrap())))
        } else {
            let writer = move || fs::OpenOptions::new().write(true).open(pipe).unwrap();
            (Some(waited(&args, writer)), None)
        };
        send(&child, if number % 2 == 0 { "-INT" } else { "-TERM" });
        let output = ended(child, &args);
        drop((writer, connection));
        assert_reported(&args, &output);
        if args.contains(&"json") {
            let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let failure = document["failure"].as_str().unwrap();
            assert!(
                failure.starts_with("stopped, by a limit or an interrupt"),
                "{failure}"
            );
        }
    }
}

/// Those that search, after they have begun to.
#[test]
fn a_command_that_searches_reports_what_it_leaves() {
    let scratch = Scratch::new("interrupts-search");
    let log = scratch.path("log.jsonl");
    for args in [
        &["rats", LONG][..],
        &["run", LONG, "--log", &log],
        &[
            "snapshot",
            LONG,
            "--accept",
            "--folder",
            &scratch.path("kept"),
            "--states",
            "100000000",
        ],
        &["diff", LONG, LONG, "--states", "100000000"],
        &["demo", LONG],
        &[
            "check",
            LONG,
            "--facts",
            "--states",
            "100000000",
            "--time-limit",
            "1000",
            "--format",
            "json",
        ],
    ] {
        let child = start(&mut command(args));
        thread::sleep(Duration::from_secs(2));
        send(&child, "-INT");
        assert_reported(args, &ended(child, args));
    }
    assert!(!Path::new(&scratch.path("kept")).exists());
}

fn hard(scratch: &Scratch) -> String {
    let problem = Path::new(env!("CARGO_MANIFEST_DIR")).join(LONG);
    let bench = format!(
        "budget = 1.5\n[[problems]]\npath = '{}'\n[[setups]]\nname = \"r\"\nagents = \"random\"\n",
        problem.display()
    );
    scratch.file("bench.toml", bench)
}

#[test]
fn an_evaluation_that_is_stopped_while_optima_are_proven_ends_as_at_a_limit() {
    let scratch = Scratch::new("proving");
    let bench = hard(&scratch);
    let logs = scratch.path("logs");
    let args = ["bench", &bench, "--log-dir", &logs];
    let help = |output: &Output| {
        assert_reported(&args, output);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains("the optimum was not proven"), "{error}");
        error
            .lines()
            .find(|line| line.contains("help:"))
            .unwrap_or_default()
            .to_owned()
    };
    let child = start(&mut command(&args));
    thread::sleep(Duration::from_secs(2));
    send(&child, "-TERM");
    let interrupted = help(&ended(child, &args));
    assert!(
        interrupted.contains("the same command begins again"),
        "{interrupted}"
    );
    assert!(!interrupted.contains("--time-limit"), "{interrupted}");
    for (option, most) in [("--time-limit", "0.5"), ("--memory-limit", "1M")] {
        let limited = [&args[..], &[option, most]].concat();
        let output = ended(start(&mut command(&limited)), &limited);
        assert_eq!(
            output.status.code(),
            Some(3),
            "{}",
            shown(&limited, &output)
        );
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(
            error.contains(&format!("help: allow more with `{option}`")),
            "{error}"
        );
    }
}
