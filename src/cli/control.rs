//! Deadlines and Ctrl-C, as the search asks for them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::printer::Printer;
use crate::search::{Control, Progress, StopReason};
use crate::words::counted;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes Ctrl-C stop what polls [`interrupted`]; a second one ends the process.
pub(super) fn catch_interrupts(printer: &Printer) {
    let caught = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            #[expect(clippy::exit, reason = "a second Ctrl-C means now")]
            std::process::exit(130);
        }
    });
    if caught.is_err() {
        printer.warning("Ctrl-C cannot be caught here: it will end the run without bounds");
    }
}

/// Whether Ctrl-C was pressed.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// Stops a search at a deadline or at Ctrl-C, and shows how it stands.
#[derive(Debug)]
pub(super) struct Deadline<'p> {
    printer: &'p Printer,
    start: Instant,
    limit: Option<Duration>,
}

impl<'p> Deadline<'p> {
    /// A deadline this long from now.
    pub(super) fn new(printer: &'p Printer, limit: Option<Duration>) -> Self {
        Self {
            printer,
            start: Instant::now(),
            limit,
        }
    }

    /// Whether the time is over or Ctrl-C was pressed.
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
        self.printer.status(|| {
            let lower = match progress.lower {
                Some(value) => format!(", makespan at least {}", value.makespan),
                None => String::new(),
            };
            format!("searching: {}{lower}", counted(progress.states, "state"))
        });
    }
}
