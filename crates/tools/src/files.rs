//! Holds the common parts of the tools that derive tables of results: files, limits, exit codes.

#![expect(
    clippy::print_stderr,
    reason = "a tool reports on standard error how far it is"
)]

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use brigade::cli::replace::replace;
use brigade::search::{Control, Progress, StopReason};

/// Reads a file; an error names it.
pub fn read(path: &Path) -> Result<String, Box<dyn Error>> {
    let text = fs::read_to_string(path);
    Ok(text.map_err(|error| format!("{}: {error}", path.display()))?)
}

/// Replaces a file at once, so that a killed run leaves the old or the new one.
pub fn write(path: &Path, text: &str) -> Result<(), Box<dyn Error>> {
    let written = replace(path, text.as_bytes());
    Ok(written.map_err(|error| format!("{}: {error}", path.display()))?)
}

/// Returns the exit code of a tool; an error is reported.
pub fn exit_code(result: Result<(), Box<dyn Error>>) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// A limit of memory in bytes.
pub fn bytes(gib: f64) -> usize {
    (gib * f64::from(1 << 30)) as usize
}

/// Stops a search when its time is over, and reports its progress from time to time.
pub struct Deadline {
    start: Instant,
    limit: Option<Duration>,
    /// Seconds from the start until the last report.
    reported: AtomicU64,
}

impl Deadline {
    /// Seconds between two reports.
    const EVERY: u64 = 10;

    /// Starts now.
    pub fn new(limit: Option<Duration>) -> Self {
        Self {
            start: Instant::now(),
            limit,
            reported: AtomicU64::new(0),
        }
    }
}

impl Control for Deadline {
    fn stop(&self) -> Option<StopReason> {
        let over = self
            .limit
            .is_some_and(|limit| self.start.elapsed() >= limit);
        over.then_some(StopReason::Time)
    }

    fn progress(&self, progress: &Progress) {
        let seconds = self.start.elapsed().as_secs();
        if seconds < self.reported.load(Ordering::Relaxed) + Self::EVERY {
            return;
        }
        self.reported.store(seconds, Ordering::Relaxed);
        let lower = progress.lower.map_or(0, |value| value.makespan);
        eprintln!(
            "  {seconds} s: {} states, makespan at least {lower}",
            progress.states
        );
    }
}
