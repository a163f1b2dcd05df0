//! Work on several threads that read and write what the caller owns.

use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does `own` to the first worker on this thread, and meanwhile `work` to each of the others on a
/// thread of its own. Where no more threads can be had, the last workers do nothing: whatever has
/// to be done must be taken by the workers, piece by piece. Ends when all are done; a panic of any
/// is one of the caller.
pub(super) fn together<W: Send>(
    workers: &mut [W],
    work: impl Fn(&mut W) + Sync,
    own: impl FnOnce(&mut W),
) {
    let Some((first, others)) = workers.split_first_mut() else {
        return;
    };
    let work = &work;
    thread::scope(|scope| {
        for worker in others {
            let work = move || work(worker);
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        own(first);
    });
}

/// Pieces of work, taken by one worker each.
pub(super) struct Pieces<I>(Mutex<I>);

impl<I: Iterator> Pieces<I> {
    pub(super) fn new(pieces: impl IntoIterator<IntoIter = I>) -> Self {
        Self(Mutex::new(pieces.into_iter()))
    }

    /// The next piece, if there is one left.
    pub(super) fn take(&self) -> Option<I::Item> {
        let mut pieces = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pieces.next()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_piece_is_taken_once() {
        let mut sums = [0_u64; 3];
        let pieces = Pieces::new(1..=1000_u64);
        let add = |sum: &mut u64| {
            while let Some(piece) = pieces.take() {
                *sum += piece;
            }
        };
        together(&mut sums, add, add);
        assert_eq!(sums.iter().sum::<u64>(), 500_500);
    }

    #[test]
    fn a_panic_of_a_thread_ends_all() {
        let fails = std::panic::catch_unwind(|| {
            together(&mut [0, 1], |_| panic!("as it should"), |_| ());
        });
        assert!(fails.is_err());
    }
}
