//! The list of what a command has written so far: an end before its time reports it.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::diagnostics::words::counted;

/// The most files that are named.
const MAX_NAMED: usize = 5;

static LEFT: Mutex<Left> = Mutex::new(Left {
    written: Vec::new(),
    goes_on: None,
});

struct Left {
    written: Vec<PathBuf>,
    /// A sentence on how to go on.
    goes_on: Option<String>,
}

/// Notes a file that was written.
pub(super) fn wrote(path: &Path) {
    let mut left = left();
    if !left.written.iter().any(|other| other == path) {
        left.written.push(path.to_owned());
    }
}

/// Forgets a file that was removed again.
pub(super) fn removed(path: &Path) {
    left().written.retain(|other| other != path);
}

/// Notes that there is something to go on with, and how.
pub(super) fn can_go_on(how: String) {
    left().goes_on = Some(how);
}

/// True once a file was written.
pub(super) fn is_something() -> bool {
    !left().written.is_empty()
}

/// A sentence on what is left.
pub(super) fn sentence() -> String {
    let left = left();
    let named = left.written.iter().take(MAX_NAMED);
    let named: Vec<String> = named.map(|path| path.display().to_string()).collect();
    let written = match left.written.len() {
        0 => "no file was written".to_owned(),
        number if number > MAX_NAMED => {
            let more = counted(number - MAX_NAMED, "other file");
            format!("{} and {more} were written", named.join(", "))
        }
        1 => format!("{} was written", named[0]),
        _ => format!("{} were written", named.join(", ")),
    };
    match &left.goes_on {
        Some(how) if left.written.is_empty() => how.clone(),
        Some(how) => format!("{written}; {how}"),
        None => written,
    }
}

fn left() -> MutexGuard<'static, Left> {
    LEFT.lock().unwrap_or_else(PoisonError::into_inner)
}
