//! People at a terminal that shows a full screen: played through a pseudo-terminal, given back in the end.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use nix::pty::{Winsize, openpty};
use nix::sys::signal::{Signal, kill};
use nix::sys::termios::{LocalFlags, tcgetattr};
use nix::unistd::Pid;

use super::{ONE_EGG, Scratch, command, run_with_input, shown};

const COLUMNS: usize = 100;
const ROWS: usize = 30;

/// What a terminal shows: as much of one as a test needs.
#[derive(Debug)]
struct Shown {
    rows: Vec<Vec<char>>,
    at: (usize, usize),
    /// The bytes that are no whole character or sequence yet.
    left: Vec<u8>,
    /// The sequences that were received.
    sequences: Vec<String>,
}

impl Shown {
    fn receive(&mut self, bytes: &[u8]) {
        self.left.extend(bytes);
        let left = std::mem::take(&mut self.left);
        let whole = match std::str::from_utf8(&left) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let text: Vec<char> = String::from_utf8_lossy(&left[..whole]).chars().collect();
        let mut at = 0;
        while at < text.len() {
            if text[at] != '\u{1b}' {
                self.put(text[at]);
                at += 1;
                continue;
            }
            let end = text[at..]
                .iter()
                .skip(2)
                .position(char::is_ascii_alphabetic);
            let Some(end) = end.map(|end| at + 2 + end) else {
                break;
            };
            self.obey(&text[at + 2..=end].iter().collect::<String>());
            at = end + 1;
        }
        self.left = text[at..].iter().collect::<String>().into_bytes();
        self.left.extend(&left[whole..]);
    }

    fn put(&mut self, letter: char) {
        let (row, column) = self.at;
        match letter {
            '\r' => self.at.1 = 0,
            '\n' => self.at.0 = (row + 1).min(ROWS - 1),
            _ => {
                if let Some(cell) = self.rows[row].get_mut(column) {
                    *cell = letter;
                }
                self.at.1 += 1;
            }
        }
    }

    fn obey(&mut self, sequence: &str) {
        if let Some(place) = sequence.strip_suffix('H') {
            let (row, column) = place.split_once(';').unwrap_or(("1", "1"));
            self.at = (
                row.parse::<usize>().unwrap() - 1,
                column.parse::<usize>().unwrap() - 1,
            );
        } else if sequence == "2J" {
            self.rows = vec![vec![' '; COLUMNS]; ROWS];
        }
        self.sequences.push(sequence.to_owned());
    }

    fn text(&self) -> String {
        let rows = self.rows.iter();
        rows.map(|row| row.iter().collect::<String>() + "\n")
            .collect()
    }
}

/// A game whose log is in this file.
fn game(log: &str) -> [&str; 6] {
    ["run", ONE_EGG, "--agent", "chef=human", "--log", log]
}

/// A person's terminal with a game on it.
struct Played {
    keys: File,
    shown: Arc<Mutex<Shown>>,
    /// Receives what is shown as long as anybody looks at it.
    reader: JoinHandle<()>,
    child: Child,
}

impl Played {
    fn begin(log: &str, options: &[&str], term: &str) -> Self {
        Self::by(command(&[&game(log)[..], options].concat()), term)
    }

    /// One that no hang-up ends, as under `nohup`.
    fn begin_without_hangup(log: &str) -> Self {
        let game = command(&game(log));
        let mut shell = Command::new("sh");
        shell
            .args(["-c", "trap '' HUP; exec \"$0\" \"$@\""])
            .arg(game.get_program())
            .args(game.get_args());
        Self::by(shell, "xterm")
    }

    fn by(mut command: Command, term: &str) -> Self {
        let size = Winsize {
            ws_row: ROWS as u16,
            ws_col: COLUMNS as u16,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        let terminal = openpty(Some(&size), None).unwrap();
        // Its clone is closed in programs that are started, which would keep the terminal open.
        let keys = File::from(terminal.master).try_clone().unwrap();
        let end = || Stdio::from(terminal.slave.try_clone().unwrap());
        let child = command
            .env("TERM", term)
            .stdin(end())
            .stdout(Stdio::piped())
            .stderr(end())
            .spawn()
            .unwrap();
        let mut output = keys.try_clone().unwrap();
        let shown = Arc::new(Mutex::new(Shown {
            rows: vec![vec![' '; COLUMNS]; ROWS],
            at: (0, 0),
            left: Vec::new(),
            sequences: Vec::new(),
        }));
        let seen = Arc::downgrade(&shown);
        let reader = thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let (Ok(count), Some(seen)) = (output.read(&mut bytes), seen.upgrade()) {
                seen.lock().unwrap().receive(&bytes[..count]);
            }
        });
        Self {
            keys,
            shown,
            reader,
            child,
        }
    }

    /// Closes the terminal.
    fn hang_up(mut self) -> Child {
        drop(self.shown);
        // It is shown, and so received: nobody looks at it.
        self.keys.write_all(b"x").unwrap();
        self.reader.join().unwrap();
        self.child
    }

    fn text(&self) -> String {
        self.shown.lock().unwrap().text()
    }

    /// Waits until a text is shown.
    #[track_caller]
    fn wait_for(&self, wanted: &str) {
        let start = Instant::now();
        while !self.text().contains(wanted) {
            let is_late = start.elapsed() > Duration::from_mins(1);
            assert!(!is_late, "no `{wanted}` in\n{}", self.text());
            thread::sleep(Duration::from_millis(10));
        }
    }

    fn press(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    fn receives_lines(&self) -> bool {
        let flags = tcgetattr(&self.keys).unwrap().local_flags;
        flags.contains(LocalFlags::ICANON) && flags.contains(LocalFlags::ISIG)
    }

    /// Waits for the end, and checks that the terminal was given back.
    #[track_caller]
    fn end(mut self) -> (Option<i32>, String) {
        let code = self.child.wait().unwrap().code();
        let mut result = String::new();
        self.child
            .stdout
            .take()
            .unwrap()
            .read_to_string(&mut result)
            .unwrap();
        assert!(self.receives_lines());
        let start = Instant::now();
        while !self
            .shown
            .lock()
            .unwrap()
            .sequences
            .contains(&"?1049l".to_owned())
        {
            assert!(start.elapsed() < Duration::from_secs(10), "{}", self.text());
            thread::sleep(Duration::from_millis(10));
        }
        (code, result)
    }
}

#[test]
fn a_game_on_a_full_screen_is_logged_as_line_by_line() {
    let scratch = Scratch::new("screen-whole");
    let (by_lines, on_screen) = (scratch.path("lines.jsonl"), scratch.path("screen.jsonl"));
    let typed = "hint\nsay I begin\nfly\n1\nwait\ntake(egg)\nserve(egg)\n";
    let args = ["run", ONE_EGG, "--agent", "chef=human", "--log", &by_lines];
    let output = run_with_input(&args, typed);
    assert_eq!(output.status.code(), Some(0), "{}", shown(&args, &output));
    let mut played = Played::begin(&on_screen, &[], "xterm");
    for (seen, keys) in [
        ("step 0 of", "hint\r"),
        ("hint: ", "say I begin\r"),
        ("you: \"I begin\"", "fl\u{1b}[D\u{1b}[Cy\r"),
        ("refused: ", "1\r"),
        ("step 1 of", "wai\t\r"),
        ("step 2 of", "take(egg)\r"),
        ("step 3 of", "serve(egg)\r"),
        ("the goal is reached. Enter leaves", "\r"),
    ] {
        played.wait_for(seen);
        assert!(!played.receives_lines());
        played.press(keys);
    }
    let (code, result) = played.end();
    assert_eq!(code, Some(0));
    assert_eq!(result.as_bytes(), output.stdout);
    let read = |path| fs::read_to_string(path).unwrap();
    assert_eq!(read(&on_screen), read(&by_lines));
}

#[test]
fn a_screen_that_is_left_gives_the_terminal_back_and_the_log_resumes() {
    let ways: [(&str, Option<Signal>); 4] = [
        ("\u{3}", None),
        ("quit\r", None),
        ("\u{4}", None),
        ("", Some(Signal::SIGTERM)),
    ];
    for (keys, signal) in ways {
        let scratch = Scratch::new("screen-left");
        let log = scratch.path("log.jsonl");
        let mut played = Played::begin(&log, &[], "xterm");
        played.wait_for("step 0 of");
        played.press("1\r");
        played.wait_for("step 1 of");
        played.press(keys);
        if let Some(signal) = signal {
            kill(Pid::from_raw(played.child.id() as i32), signal).unwrap();
        }
        played.wait_for("the episode so far is in");
        assert_eq!(played.end().0, Some(3), "{keys:?}");
        resumes(&log);
    }
}

#[test]
fn a_terminal_that_is_gone_leaves_a_log_that_resumes() {
    let scratch = Scratch::new("screen-gone");
    let log = scratch.path("log.jsonl");
    let mut played = Played::begin(&log, &[], "xterm");
    played.wait_for("step 0 of");
    played.press("1\r");
    played.wait_for("step 1 of");
    kill(Pid::from_raw(played.child.id() as i32), Signal::SIGHUP).unwrap();
    // Where the tests run under `nohup`, that signal is ignored.
    is_left(&mut played.child);
    played.child.kill().unwrap();
    played.child.wait().unwrap();
    resumes(&log);
}

#[test]
fn a_terminal_that_is_closed_ends_a_game_that_no_signal_ends() {
    let scratch = Scratch::new("screen-closed");
    let log = scratch.path("log.jsonl");
    let mut played = Played::begin_without_hangup(&log);
    played.wait_for("step 0 of");
    played.press("1\r");
    played.wait_for("step 1 of");
    let mut child = played.hang_up();
    let is_left = is_left(&mut child);
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(is_left);
    resumes(&log);
}

/// Waits for the end of a game, for five seconds at most.
fn is_left(child: &mut Child) -> bool {
    (0..50).any(|_| {
        let is_left = child.try_wait().unwrap().is_some();
        if !is_left {
            thread::sleep(Duration::from_millis(100));
        }
        is_left
    })
}

/// Goes on with a game line by line, after the first step.
#[track_caller]
fn resumes(log: &str) {
    let args = [
        "run",
        ONE_EGG,
        "--agent",
        "chef=human",
        "--log",
        log,
        "--resume",
    ];
    let output = run_with_input(&args, "wait\nwait\ntake(egg)\nserve(egg)\n");
    let text = shown(&args, &output);
    assert!(text.contains("going on after tick 1"), "{text}");
    assert!(text.contains("the goal is reached"), "{text}");
}

#[test]
fn a_terminal_that_can_show_no_screen_is_used_line_by_line() {
    let scratch = Scratch::new("screen-lines");
    for (options, term) in [(&["--lines"][..], "xterm"), (&[], "dumb")] {
        let log = scratch.path(&format!("{term}.jsonl"));
        let mut played = Played::begin(&log, options, term);
        played.wait_for("== step 0 of chef");
        assert!(played.receives_lines());
        played.press("quit\n");
        assert_eq!(played.child.wait().unwrap().code(), Some(3));
    }
}
