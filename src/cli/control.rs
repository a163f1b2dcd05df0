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

use super::printer::Printer;
use crate::search::{Control, Progress, StopReason};
use crate::words::counted;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// Whether another signal ends the process.
static ANOTHER_ENDS: AtomicBool = AtomicBool::new(false);
/// How long after a signal another one is taken for the same: `timeout` signals a process, and at
/// once its whole group.
const SAME_SIGNAL: Duration = Duration::from_millis(500);
/// How often a first signal is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Makes Ctrl-C and SIGTERM stop what polls [`interrupted`]; one that follows some time after the
/// first ends the process, with the code that shells expect. Once they are caught, nothing more is done.
/// SIGHUP is left alone: under `nohup` a run goes on.
pub(super) fn catch_interrupts(printer: &Printer) {
    static CAUGHT: Once = Once::new();
    CAUGHT.call_once(|| catch_signals(printer));
}

fn catch_signals(printer: &Printer) {
    let catch = || -> io::Result<()> {
        thread::Builder::new().spawn(|| {
            while !interrupted() {
                thread::sleep(LOOK_EVERY);
            }
            thread::sleep(SAME_SIGNAL);
            ANOTHER_ENDS.store(true, Ordering::SeqCst);
        })?;
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_shutdown(signal, 128 + signal, &ANOTHER_ENDS)?;
            flag::register(signal, &INTERRUPTED)?;
        }
        // A limit on the size of files is then an error of the write, which can be told.
        #[cfg(unix)]
        flag::register(signal_hook::consts::SIGXFSZ, Arc::<AtomicBool>::default())?;
        Ok(())
    };
    if catch().is_err() {
        let message = "Ctrl-C or SIGTERM cannot be caught here: it will end the run without bounds";
        printer.warning(message);
    }
}

/// Whether Ctrl-C was pressed or SIGTERM received.
pub(super) fn interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
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
        Self {
            printer,
            start: Instant::now(),
            limit,
        }
    }

    /// Whether the time is over or the run was interrupted.
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
