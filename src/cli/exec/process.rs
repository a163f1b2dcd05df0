//! A program under way: its lines are written, read and waited for without ever being stuck on it.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::group::Group;
use crate::search::{Control, StopReason};

/// The longest line that is read.
const MAX_LINE: usize = 1 << 20;
/// The number of lines that are read ahead.
const AHEAD: usize = 16;
/// The bytes of standard error that are kept.
const KEPT: usize = 1 << 12;
/// The most of its last lines that are shown, and the most characters of each.
const SHOWN: (usize, usize) = (5, 200);
/// The interval at which the end of the run is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// The time for which the end of standard error is waited for, once the process has ended.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// The reason why there is no answer.
#[derive(Debug)]
pub(super) enum Failed {
    /// It was silent for too long.
    Silent,
    /// It has ended, and how.
    Ended(String),
    /// It has written too long a line.
    TooLong,
    /// Its output is no answer, for this reason.
    NoAnswer(String),
    /// The run is to end.
    Stopped(StopReason),
}

/// A line of standard output, or that it is too long.
type Written = Result<Vec<u8>, ()>;

/// A program under way. Dropped, it is ended with all that it has started.
#[derive(Debug)]
pub(super) struct Process {
    group: Group,
    /// The queue of lines to write.
    input: Sender<Vec<u8>>,
    output: Receiver<Written>,
    /// The last of standard error, once that is closed.
    errors: Receiver<Vec<u8>>,
}

impl Process {
    /// Starts a command of the shell.
    pub(super) fn start(command: &str, folder: Option<&Path>) -> io::Result<Self> {
        let mut shell = shell(command);
        if let Some(folder) = folder {
            shell.current_dir(folder);
        }
        shell
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut group = Group::start(&mut shell)?;
        let child = &mut group.child;
        let closed = || io::Error::other("a pipe of it is missing");
        let stdin = child.stdin.take().ok_or_else(closed)?;
        let stdout = child.stdout.take().ok_or_else(closed)?;
        let stderr = child.stderr.take().ok_or_else(closed)?;
        let (input, lines) = mpsc::channel();
        let (read, output) = mpsc::sync_channel(AHEAD);
        let (last, errors) = mpsc::channel();
        thread::Builder::new().spawn(move || write_lines(stdin, &lines))?;
        thread::Builder::new().spawn(move || {
            let mut stdout = BufReader::new(stdout);
            while let Some(line) = next_line(&mut stdout) {
                let is_last = line.is_err();
                if read.send(line).is_err() || is_last {
                    break;
                }
            }
            drop(read);
            // What is written after a line that is too long is read, and forgotten.
            let _ = io::copy(&mut stdout, &mut io::sink());
        })?;
        thread::Builder::new().spawn(move || last.send(tail(stderr)))?;
        Ok(Self {
            group,
            input,
            output,
            errors,
        })
    }

    /// Sends a line. One that has ended does not get it, which shows when it is to answer.
    pub(super) fn send(&self, line: &impl Serialize) {
        if let Ok(mut bytes) = serde_json::to_vec(line) {
            bytes.push(b'\n');
            let _ = self.input.send(bytes);
        }
    }

    /// The next line that it writes.
    pub(super) fn receive(
        &mut self,
        timeout: Duration,
        control: &dyn Control,
    ) -> Result<Vec<u8>, Failed> {
        let start = Instant::now();
        loop {
            let left = timeout.saturating_sub(start.elapsed());
            match self.output.recv_timeout(left.min(LOOK_EVERY)) {
                Ok(line) => return line.map_err(|()| Failed::TooLong),
                Err(RecvTimeoutError::Disconnected) => {
                    // A signal that ends the run may have reached it too.
                    return Err(control
                        .stop()
                        .map_or_else(|| self.end_of(), Failed::Stopped));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Some(reason) = control.stop() {
                        return Err(Failed::Stopped(reason));
                    }
                    if start.elapsed() >= timeout {
                        return Err(Failed::Silent);
                    }
                    // Others may hold its output open.
                    if let Ok(Some(status)) = self.group.child.try_wait() {
                        let last = self.output.recv_timeout(LAST_WORDS);
                        let last = last.map_err(|_| Failed::Ended(status.to_string()))?;
                        return last.map_err(|()| Failed::TooLong);
                    }
                }
            }
        }
    }

    /// Its exit status, after it has closed its output.
    fn end_of(&mut self) -> Failed {
        let start = Instant::now();
        while start.elapsed() < LAST_WORDS {
            if let Ok(Some(status)) = self.group.child.try_wait() {
                return Failed::Ended(status.to_string());
            }
            thread::sleep(Duration::from_millis(5));
        }
        Failed::Ended("it has closed its output".to_owned())
    }

    /// Lets it end by itself: it is sent no more.
    pub(super) fn close(self, patience: Duration, control: &dyn Control) {
        let Self {
            mut group, input, ..
        } = self;
        drop(input);
        let start = Instant::now();
        while start.elapsed() < patience && control.stop().is_none() {
            if !matches!(group.child.try_wait(), Ok(None)) {
                break;
            }
            thread::sleep(Duration::from_millis(5));
        }
        group.end();
    }

    /// Ends it, with all that it has started; the last lines of its standard error.
    pub(super) fn end(mut self) -> String {
        self.group.end();
        let last = self.errors.recv_timeout(LAST_WORDS).unwrap_or_default();
        let last = String::from_utf8_lossy(&last);
        let lines: Vec<&str> = last
            .lines()
            .filter(|line| !line.trim().is_empty())
            .collect();
        let (most, width) = SHOWN;
        let shown = lines.iter().skip(lines.len().saturating_sub(most));
        let shown: Vec<String> = shown
            .map(|line| {
                let line = line.trim_end().chars().map(printable);
                line.take(width).collect()
            })
            .collect();
        shown.join(" | ")
    }
}

fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}

/// A command of the shell.
fn shell(command: &str) -> Command {
    let (program, option) = if cfg!(windows) {
        ("cmd", "/C")
    } else {
        ("sh", "-c")
    };
    let mut shell = Command::new(program);
    shell.args([option, command]);
    shell
}

/// Writes lines as they come, until there are no more.
fn write_lines(mut to: impl Write, lines: &Receiver<Vec<u8>>) {
    for line in lines {
        if to.write_all(&line).and_then(|()| to.flush()).is_err() {
            break;
        }
    }
}

/// The next line; `None` at the end. Its last line may lack its end.
fn next_line(from: &mut impl BufRead) -> Option<Written> {
    let mut line = Vec::new();
    let mut part = from.take(MAX_LINE as u64 + 1);
    match part.read_until(b'\n', &mut line) {
        Ok(0) | Err(_) => None,
        Ok(_) if line.len() > MAX_LINE => Some(Err(())),
        Ok(_) => Some(Ok(line)),
    }
}

/// The last of what is read, when all of it was.
fn tail(mut from: impl Read) -> Vec<u8> {
    let mut kept = VecDeque::new();
    let mut part = [0; KEPT];
    while let Ok(read) = from.read(&mut part)
        && read > 0
    {
        kept.extend(&part[..read]);
        kept.drain(..kept.len().saturating_sub(KEPT));
    }
    kept.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_a_greatest_length() {
        let mut longest = vec![b'a'; MAX_LINE - 1];
        longest.push(b'\n');
        let mut both = longest.clone();
        both.extend(vec![b'b'; MAX_LINE + 1]);
        let mut from = &both[..];
        assert_eq!(next_line(&mut from), Some(Ok(longest)));
        assert_eq!(next_line(&mut from), Some(Err(())));
        let mut from = &b"{}"[..];
        assert_eq!(next_line(&mut from), Some(Ok(b"{}".to_vec())));
        assert_eq!(next_line(&mut from), None);
    }

    #[test]
    fn the_end_of_a_long_text_is_kept() {
        let text = format!("{}end", "x".repeat(3 * KEPT));
        let kept = tail(text.as_bytes());
        assert_eq!(kept.len(), KEPT);
        assert!(kept.ends_with(b"xend"));
    }
}
