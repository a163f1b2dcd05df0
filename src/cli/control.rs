//! Deadlines, Ctrl-C and SIGTERM, as the search asks for them.

use std::io;
#[cfg(unix)]
use std::sync::Arc;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::exit::{Exit, Failure, FailureDocument};
use super::printer::Printer;
use super::waiting::Waiting;
use super::{exec, left, replace};
use crate::diagnostics::words::counted;
use crate::search::{Control, Progress, StopReason};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// True if another signal ends the process.
static ANOTHER_ENDS: AtomicBool = AtomicBool::new(false);
/// Set once something polls [`interrupted`], and ends the command with what it has.
static IS_POLLED: AtomicBool = AtomicBool::new(false);
/// The time after a signal in which another one is taken for the same: `timeout` signals a process, and at once its
/// whole group.
const SAME_SIGNAL: Duration = Duration::from_millis(500);
/// The interval at which a first signal is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Makes Ctrl-C and SIGTERM end a command with [`Exit::Limit`]: by itself where something polls
/// [`interrupted`], and at once where nothing does. One that follows some time after the first ends the
/// process, with the code that shells expect. SIGHUP is left alone: under `nohup` a run goes on.
///
/// A limit on the size of files is an error of the write from then on. Once signals are caught, nothing
/// more is done.
pub(super) fn catch_signals(printer: &Printer, writes_json: bool) {
    static CAUGHT: Once = Once::new();
    CAUGHT.call_once(|| {
        if caught(printer.another(), writes_json).is_err() {
            let message = "Ctrl-C and SIGTERM cannot be caught here: they end a run without bounds";
            printer.warning(message);
        }
    });
}

fn caught(printer: Printer, writes_json: bool) -> io::Result<()> {
    thread::Builder::new().spawn(move || watch(&printer, writes_json))?;
    for signal in [SIGINT, SIGTERM] {
        flag::register_conditional_shutdown(signal, 128 + signal, &ANOTHER_ENDS)?;
        flag::register(signal, &INTERRUPTED)?;
    }
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::<AtomicBool>::default())?;
    Ok(())
}

/// Waits for a signal, and ends the process if the command does not do so.
fn watch(printer: &Printer, writes_json: bool) {
    while !interrupted() {
        thread::sleep(LOOK_EVERY);
    }
    let first = Instant::now();
    loop {
        if !IS_POLLED.load(Ordering::SeqCst) || Waiting::is_any() {
            end_now(printer, writes_json);
        }
        if first.elapsed() >= SAME_SIGNAL {
            // Another signal ends this process at once, and leaves no time for it.
            exec::end_all();
            ANOTHER_ENDS.store(true, Ordering::SeqCst);
        }
        thread::sleep(LOOK_EVERY);
    }
}

#[expect(
    clippy::exit,
    reason = "the thread of the command is at work, and polls nothing"
)]
fn end_now(printer: &Printer, writes_json: bool) {
    let _nothing_is_moved = replace::abandon();
    exec::end_all();
    let failure = Failure::Stopped("the command was done");
    printer.failure(&failure);
    printer.note(&left::sentence());
    // Half a result is not followed by another document.
    if writes_json
        && !Printer::has_printed()
        && let Some(document) = FailureDocument::new(&failure)
    {
        let _ = printer.json(&document);
    }
    std::process::exit(Exit::Limit as i32);
}

/// Makes a signal wait for the command to end by itself: it polls [`interrupted`].
pub(super) fn polled() {
    IS_POLLED.store(true, Ordering::SeqCst);
}

/// Returns true if Ctrl-C was pressed or SIGTERM received.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Takes a key for Ctrl-C: a full screen receives it as one.
#[cfg(feature = "full-screen")]
pub(super) fn interrupt() {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

/// Stops a search at a deadline or an interrupt, and shows how it stands.
#[derive(Debug)]
pub(super) struct Deadline<'p> {
    printer: &'p Printer,
    start: Instant,
    limit: Option<Duration>,
}

impl<'p> Deadline<'p> {
    /// A deadline this long from now.
    pub(super) fn new(printer: &'p Printer, limit: Option<Duration>) -> Self {
        polled();
        Self {
            printer,
            start: Instant::now(),
            limit,
        }
    }

    /// A deadline after half of the time that is left.
    pub(super) fn half(&self) -> Self {
        let left = |limit: Duration| limit.saturating_sub(self.start.elapsed());
        Self {
            printer: self.printer,
            start: Instant::now(),
            limit: self.limit.map(|limit| left(limit) / 2),
        }
    }

    /// Returns true if the time is over or the run was interrupted.
    pub(super) fn over(&self) -> bool {
        self.stop().is_some()
    }

    /// Seconds since it was made.
    pub(super) fn seconds(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }
}

impl Control for Deadline<'_> {
    fn stop(&self) -> Option<StopReason> {
        if interrupted() {
            return Some(StopReason::Interrupted);
        }
        let over = self
            .limit
            .is_some_and(|limit| self.start.elapsed() >= limit);
        over.then_some(StopReason::Time)
    }

    fn progress(&self, progress: &Progress) {
        self.printer
            .status(|| format!("searching: {}", counted(progress.states, "state")));
    }
}
