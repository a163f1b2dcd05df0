//! The only place that prints: results on standard output, all else on standard error.

use std::cell::{Cell, RefCell};
use std::collections::HashSet;
use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anstream::{AutoStream, ColorChoice};
use serde::Serialize;

use super::exit::{Exit, Failure, Result};
use crate::diagnostics::json::resolve_all;
use crate::diagnostics::words::presentable;
use crate::diagnostics::{Colour, DEFAULT_WIDTH, Diagnostics, Sources, render_all_within};

/// The messages of the standard library for numbers that it cannot read, and their replacements.
const PLAIN: [(&str, &str); 4] = [
    ("invalid digit found in string", "no whole number from 0 up"),
    (
        "cannot parse integer from empty string",
        "no whole number from 0 up",
    ),
    ("number too large to fit in target type", "too large"),
    ("number too small to fit in target type", "too small"),
];

/// The interval at which a running search is reported.
const PROGRESS_EVERY: Duration = Duration::from_millis(200);

/// Set once anything was printed on standard output.
static HAS_PRINTED: AtomicBool = AtomicBool::new(false);

/// The messages that are held back while something else is drawn on the terminal.
static HELD: Mutex<Option<String>> = Mutex::new(None);

/// Prints.
#[derive(Debug)]
pub(super) struct Printer {
    quiet: bool,
    colour: ColorChoice,
    /// The instant when the status line was last drawn; `None` while there is none.
    status: Cell<Option<Instant>>,
    /// The diagnostics and notes that were printed: files that share a domain would repeat what is wrong with it.
    printed: RefCell<HashSet<String>>,
}

impl Printer {
    pub(super) fn new(quiet: bool, colour: ColorChoice) -> Self {
        colour.write_global();
        Self {
            quiet,
            colour,
            status: Cell::new(None),
            printed: RefCell::default(),
        }
    }

    /// One for another thread.
    pub(super) fn another(&self) -> Self {
        Self::new(self.quiet, self.colour)
    }

    /// True once a result, or a part of one, was printed in this process.
    pub(super) fn has_printed() -> bool {
        HAS_PRINTED.load(Ordering::SeqCst)
    }

    /// Prints a result as text.
    pub(super) fn text(&self, text: &str) -> Result<()> {
        self.begin_result();
        let mut out = AutoStream::new(std::io::stdout().lock(), self.colour);
        written(out.write_all(text.as_bytes()).and_then(|()| out.flush()))
    }

    /// Prints a result as text, in pieces that are made one after another.
    pub(super) fn pieces(&self, pieces: impl IntoIterator<Item = String>) -> Result<()> {
        self.begin_result();
        let out = AutoStream::new(std::io::stdout().lock(), self.colour);
        let mut out = std::io::BufWriter::new(out);
        let mut pieces = pieces.into_iter();
        written(
            pieces
                .try_for_each(|piece| out.write_all(piece.as_bytes()))
                .and_then(|()| out.flush()),
        )
    }

    /// Prints a result as one JSON document.
    pub(super) fn json(&self, document: &impl Serialize) -> Result<()> {
        self.begin_result();
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        written(
            serde_json::to_writer_pretty(&mut out, document)
                .map_err(std::io::Error::from)
                .and_then(|()| out.write_all(b"\n"))
                .and_then(|()| out.flush()),
        )
    }

    /// Prints a result as one JSON document on one line.
    pub(super) fn json_line(&self, document: &impl Serialize) -> Result<()> {
        self.begin_result();
        let mut out = std::io::BufWriter::new(std::io::stdout().lock());
        written(
            serde_json::to_writer(&mut out, document)
                .map_err(std::io::Error::from)
                .and_then(|()| out.write_all(b"\n"))
                .and_then(|()| out.flush()),
        )
    }

    /// Returns true if notes are to be left out.
    pub(super) const fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Prints a note, unless asked to be quiet.
    pub(super) fn note(&self, text: &str) {
        if !self.quiet {
            self.report(&format!("{text}\n"));
        }
    }

    /// Notes something that may be so of several files.
    pub(super) fn note_once(&self, text: &str) {
        if self.printed.borrow_mut().insert(text.to_owned()) {
            self.note(text);
        }
    }

    /// Warns.
    pub(super) fn warning(&self, text: &str) {
        self.report(&format!("warning: {text}\n"));
    }

    /// Prints what is wrong with the sources, each report once; mere warnings not if asked to be quiet.
    pub(super) fn diagnostics(&self, diagnostics: &Diagnostics, sources: &Sources) {
        let resolved = resolve_all(diagnostics, sources);
        let mut resolved = resolved.iter().map(|it| format!("{it:?}"));
        let mut news = diagnostics.clone();
        let mut printed = self.printed.borrow_mut();
        news.retain(|_| resolved.next().is_none_or(|it| printed.insert(it)));
        if news.has_errors() || !(self.quiet || news.is_empty()) {
            let width = terminal_size::terminal_size_of(std::io::stderr())
                .map_or(DEFAULT_WIDTH, |(width, _)| width.0.into());
            self.report(&render_all_within(&news, sources, Colour::Ansi, width));
        }
    }

    /// Prints why a command fails.
    pub(super) fn failure(&self, failure: &Failure) {
        match failure {
            Failure::Rejected(_) | Failure::Inexpressible(_) => {}
            Failure::Usage {
                message,
                help: Some(help),
            } => self.failed(message, help),
            Failure::Limit { message, help } => self.failed(message, help),
            other => self.report(&format!("error: {}\n", presentable(&other.to_string()))),
        }
    }

    fn failed(&self, message: &str, help: &str) {
        let message = presentable(message);
        self.report(&format!("error: {message}\n  help: {help}\n"));
    }

    /// Prints what a person is asked, also if asked to be quiet.
    pub(super) fn dialogue(&self, text: &str) {
        self.report(text);
    }

    /// Holds messages back until [`release`](Self::release): something else is drawn on the terminal.
    #[cfg(feature = "full-screen")]
    pub(super) fn hold() {
        held().get_or_insert_default();
    }

    /// Prints the messages that were held back.
    #[cfg(feature = "full-screen")]
    pub(super) fn release(&self) {
        let text = held().take();
        self.report(&text.unwrap_or_default());
    }

    /// Draws a line that says how a long computation stands, on a terminal only.
    pub(super) fn status(&self, text: impl FnOnce() -> String) {
        if self.quiet || held().is_some() || !std::io::stderr().is_terminal() {
            return;
        }
        let now = Instant::now();
        let recent = |drawn: Instant| now.duration_since(drawn) < PROGRESS_EVERY;
        if self.status.get().is_some_and(recent) {
            return;
        }
        self.status.set(Some(now));
        self.write(&format!("\r\u{1b}[2K{}", text()));
    }

    /// Prints a line that says how a long computation stands, where there is no terminal to draw it on.
    pub(super) fn line_off_terminal(&self, text: impl FnOnce() -> String) {
        if !self.quiet && !std::io::stderr().is_terminal() {
            self.write(&format!("{}\n", text()));
        }
    }

    /// Prints a JSON object on one line of standard error.
    pub(super) fn event(&self, event: &impl Serialize) {
        self.clear_status();
        if let Ok(text) = serde_json::to_string(event) {
            self.write(&format!("{text}\n"));
        }
    }

    /// Standard output is about to hold something.
    fn begin_result(&self) {
        self.clear_status();
        HAS_PRINTED.store(true, Ordering::SeqCst);
    }

    fn clear_status(&self) {
        if self.status.take().is_some() {
            self.write("\r\u{1b}[2K");
        }
    }

    fn report(&self, text: &str) {
        self.clear_status();
        self.write(text);
    }

    /// Writes to standard error; a failure to write here can be reported nowhere.
    fn write(&self, text: &str) {
        if let Some(held) = held().as_mut() {
            held.push_str(text);
            return;
        }
        let mut err = AutoStream::new(std::io::stderr().lock(), self.colour);
        let _ = err.write_all(text.as_bytes()).and_then(|()| err.flush());
    }
}

fn held() -> MutexGuard<'static, Option<String>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints the help or the version that was asked for, or what is wrong with the command line.
pub(super) fn command_line(error: &clap::Error) -> Exit {
    if error.kind() == clap::error::ErrorKind::ValueValidation {
        let mut text = error.render().ansi().to_string();
        for (technical, plain) in PLAIN {
            text = text.replace(technical, plain);
        }
        Printer::new(false, ColorChoice::Auto).report(&text);
        return Exit::Usage;
    }
    let printed = written(error.print());
    match printed {
        _ if error.use_stderr() => Exit::Usage,
        Err(failure) => {
            Printer::new(false, ColorChoice::Auto).failure(&failure);
            Exit::Usage
        }
        Ok(()) => Exit::Done,
    }
}

/// Returns the result of writing. That its reader has closed the pipe is no failure, and changes no answer.
fn written(result: std::io::Result<()>) -> Result<()> {
    match result {
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        result => result.map_err(Failure::Output),
    }
}
