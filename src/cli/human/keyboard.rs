//! The lines that are typed, read without being stuck on them.

use std::io::{BufRead, Read};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use crate::agents::PolicyError;
use crate::search::{Control, StopReason};

/// The longest line that is read, in bytes; the rest of a longer one is the next.
const MAX_LINE: u64 = 1 << 16;
/// The number of lines that are read ahead.
const AHEAD: usize = 16;
/// The interval at which the end of the run is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Standard input, line by line.
#[derive(Debug)]
pub(in crate::cli) struct Keyboard {
    lines: Receiver<String>,
}

impl Keyboard {
    /// Begins to read.
    pub(in crate::cli) fn open() -> std::io::Result<Self> {
        let (typed, lines) = mpsc::sync_channel(AHEAD);
        thread::Builder::new().spawn(move || {
            let mut input = std::io::stdin().lock();
            loop {
                let mut line = Vec::new();
                match input.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
                    Ok(0) | Err(_) => break,
                    Ok(_) => {
                        let line = String::from_utf8_lossy(&line).into_owned();
                        if typed.send(line).is_err() {
                            break;
                        }
                    }
                }
            }
        })?;
        Ok(Self { lines })
    }

    /// The next line, without its end; `None` at the end of the input.
    pub(super) fn line(&self, control: &dyn Control) -> Result<Option<String>, PolicyError> {
        loop {
            if let Some(reason) = control.stop() {
                return Err(PolicyError::Limit(reason));
            }
            match self.lines.recv_timeout(LOOK_EVERY) {
                Ok(line) => return Ok(Some(line.trim().to_owned())),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// The end of an episode that a person leaves.
pub(super) const LEFT: PolicyError = PolicyError::Limit(StopReason::Interrupted);
