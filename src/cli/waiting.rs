//! Threads that wait for the other end of a pipe.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The number of threads that wait for what may never come, and poll nothing meanwhile.
static WAITING: AtomicUsize = AtomicUsize::new(0);

/// Stands for a thread that waits for something that may never come: a writer of a pipe, or a reader. A
/// signal ends the process meanwhile.
#[derive(Debug)]
pub(super) struct Waiting(());

impl Waiting {
    pub(super) fn begin() -> Self {
        WAITING.fetch_add(1, Ordering::SeqCst);
        Self(())
    }

    /// True while some thread waits so.
    pub(super) fn is_any() -> bool {
        WAITING.load(Ordering::SeqCst) > 0
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        WAITING.fetch_sub(1, Ordering::SeqCst);
    }
}
