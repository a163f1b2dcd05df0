//! Pipes, sockets and devices where files are read.

use std::fs;
use std::io::Write as _;
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::{ONE_EGG, Scratch, command, run, run_with_input, shown};

fn pipe(path: &str) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// The output of a command that must not wait.
fn at_once(args: &[&str]) -> Output {
    let command = &mut command(args);
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if start.elapsed() > Duration::from_mins(1) {
            let _ = child.kill();
            panic!("`brigade {}` hangs", args.join(" "));
        }
        thread::sleep(Duration::from_millis(20));
    }
    child.wait_with_output().unwrap()
}

fn assert_refused(args: &[&str], what: &str) {
    let output = at_once(args);
    assert_eq!(output.status.code(), Some(2), "{}", shown(args, &output));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.contains(what), "{what}: {error}");
}

fn bench(scratch: &Scratch) -> String {
    let problem = Path::new(env!("CARGO_MANIFEST_DIR")).join(ONE_EGG);
    let text = format!(
        "max-ticks = 5\n[models.m]\nbase-url = \"http://127.0.0.1:9/v1\"\naction-format = \"text\"\n\
         max-retries = 0\n[[problems]]\npath = '{}'\n[[setups]]\nname = \"random\"\n\
         agents = \"random\"\n",
        problem.display()
    );
    scratch.file("bench.toml", text)
}

#[test]
fn a_pipe_in_the_folder_of_an_evaluation_is_refused() {
    let scratch = Scratch::new("pipes-in-folder");
    let bench = bench(&scratch);
    let logs = scratch.path("logs");
    let args = ["bench", &bench, "--log-dir", &logs];
    assert_eq!(run(&args).status.code(), Some(0));
    let files: Vec<String> = fs::read_dir(&logs)
        .unwrap()
        .map(|entry| entry.unwrap())
        .filter(|entry| entry.file_type().unwrap().is_file())
        .map(|entry| entry.path().display().to_string())
        .collect();
    assert!(files.len() >= 6, "{files:?}");
    for file in files {
        let text = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        // Without an open episode no time is noted.
        if file.ends_with("times.jsonl") {
            continue;
        }
        pipe(&file);
        assert_refused(&args, &format!("{file}: is a named pipe; a file is needed"));
        fs::remove_file(&file).unwrap();
        fs::write(&file, text).unwrap();
    }
    assert_eq!(run(&args).status.code(), Some(0));
}

#[test]
fn what_is_no_file_is_refused_as_spending_cassette_bench_file_or_snapshot() {
    let scratch = Scratch::new("pipes");
    let bench = bench(&scratch);
    let logs = scratch.path("logs");
    let fifo = scratch.path("fifo");
    pipe(&fifo);
    let socket = scratch.path("socket");
    let _listener = UnixListener::bind(&socket).unwrap();
    for (path, kind) in [
        (&*fifo, "a named pipe"),
        (&*socket, "a socket"),
        ("/dev/zero", "a device"),
    ] {
        let what = format!("{path}: is {kind}");
        for mode in ["replay", "record", "auto"] {
            let args = [
                "bench",
                &bench,
                "--log-dir",
                &logs,
                "--cassette",
                mode,
                "--cassette-file",
                path,
            ];
            assert_refused(&args, &what);
        }
        assert_refused(&["bench", path, "--log-dir", &logs], &what);
    }
    fs::create_dir_all(&logs).unwrap();
    pipe(&scratch.path("logs/spending.json"));
    assert_refused(
        &["bench", &bench, "--log-dir", &logs],
        "spending.json: is a named pipe",
    );
    let made = run(&["new", "bistro", "--folder", &scratch.path("")]);
    assert_eq!(made.status.code(), Some(0), "{}", shown(&[], &made));
    let snapshot = scratch.path("bistro/snapshots/soup.snap");
    fs::remove_file(&snapshot).unwrap();
    pipe(&snapshot);
    assert_refused(
        &["snapshot", &scratch.path("bistro")],
        "soup.snap: is no file",
    );
}

/// They are no domains or problems.
#[test]
fn a_pipe_in_a_folder_of_sources_is_passed_over() {
    let scratch = Scratch::new("pipe-beside");
    for file in ["egg.pddl", "one-egg.pddl"] {
        fs::copy(Path::new("tests/data/cli").join(file), scratch.path(file)).unwrap();
    }
    for name in ["a.pddl", "domain.pddl", "one-egg-domain.pddl"] {
        pipe(&scratch.path(name));
    }
    for args in [
        &["check", &scratch.path("")][..],
        &["plan", &scratch.path("one-egg.pddl")],
    ] {
        let output = at_once(args);
        assert_eq!(output.status.code(), Some(0), "{}", shown(args, &output));
    }
}

/// However often it is looked at.
#[test]
fn a_pipe_that_a_shell_opens_is_read_as_a_file_is() {
    let text = fs::read_to_string(ONE_EGG).unwrap();
    for command in ["check", "plan", "rats", "compile"] {
        let args = [
            command,
            "/dev/stdin",
            "--domain",
            "tests/data/cli/egg.pddl",
            "--quiet",
        ];
        let output = run_with_input(&args, &text);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
    }
    let scratch = Scratch::new("named-pipe");
    let fifo = scratch.path("problem");
    pipe(&fifo);
    let to = fifo.clone();
    let writer = thread::spawn(move || {
        let mut file = fs::OpenOptions::new().write(true).open(to).unwrap();
        file.write_all(text.as_bytes()).unwrap();
    });
    let args = ["check", &fifo, "--domain", "tests/data/cli/egg.pddl"];
    let output = at_once(&args);
    writer.join().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
}

#[test]
fn an_evaluation_may_come_from_a_pipe_that_a_shell_opens() {
    let scratch = Scratch::new("bench-from-pipe");
    let text = fs::read_to_string(bench(&scratch)).unwrap();
    for path in ["-", "/dev/stdin", "/dev/fd/0"] {
        let logs = scratch.path(&format!("logs{}", path.replace('/', "-")));
        let args = ["bench", path, "--log-dir", &logs];
        let output = run_with_input(&args, &text);
        assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
    }
}
