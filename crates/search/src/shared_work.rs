//! Work that several threads share: things that each finds by their numbers, those that no other
//! has taken.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// The others may finish so soon that it is not worth to fall asleep.
const YIELDS: usize = 20;

/// So many things, and what was found of them.
pub(super) struct SharedWork<T> {
    count: usize,
    /// The first that no one has taken.
    next: AtomicUsize,
    found: Mutex<Found<T>>,
    /// Notified once all are found, or will not be.
    ended: Condvar,
    /// True if what is not taken yet is not needed any more.
    is_stopped: AtomicBool,
}

struct Found<T> {
    all: Vec<(usize, T)>,
    /// True if a thread has panicked, so that some will be missing.
    has_failed: bool,
}

/// Says that a thread will not find what it has taken.
pub(super) struct Alarm<'s, T>(&'s SharedWork<T>);

impl<T> Drop for Alarm<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.found().has_failed = true;
            self.0.ended.notify_all();
        }
    }
}

impl<T> SharedWork<T> {
    pub(super) const fn new(count: usize) -> Self {
        Self {
            count,
            next: AtomicUsize::new(0),
            found: Mutex::new(Found {
                all: Vec::new(),
                has_failed: false,
            }),
            ended: Condvar::new(),
            is_stopped: AtomicBool::new(false),
        }
    }

    pub(super) const fn count(&self) -> usize {
        self.count
    }

    /// To be held while things are found.
    pub(super) const fn alarm(&self) -> Alarm<'_, T> {
        Alarm(self)
    }

    /// Takes the numbers of so many things, or as many as are left.
    pub(super) fn take(&self, at_once: usize) -> Option<Range<usize>> {
        let first = self.next.fetch_add(at_once, Ordering::Relaxed);
        (first < self.count).then(|| first..self.count.min(first + at_once))
    }

    /// Hands in what was found.
    pub(super) fn add(&self, own: &mut Vec<(usize, T)>) {
        let mut found = self.found();
        found.all.append(own);
        if self.is_over(&found) {
            self.ended.notify_all();
        }
    }

    /// Lets those that find things know that they are not needed any more.
    pub(super) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// Waits until all are found, and returns them by their numbers; all must have been taken. They
    /// are fewer than there are only if a thread has panicked.
    pub(super) fn finish(&self) -> impl Iterator<Item = T> + use<T> {
        for _ in 0..YIELDS {
            if self.is_over(&self.found()) {
                break;
            }
            thread::yield_now();
        }
        let found = self
            .ended
            .wait_while(self.found(), |found| !self.is_over(found));
        let mut found = found.unwrap_or_else(PoisonError::into_inner);
        let mut all = std::mem::take(&mut found.all);
        all.sort_unstable_by_key(|&(number, _)| number);
        all.into_iter().map(|(_, thing)| thing)
    }

    fn found(&self) -> MutexGuard<'_, Found<T>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self, found: &Found<T>) -> bool {
        found.has_failed || found.all.len() == self.count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares, found by so many threads, each so many at once; one panics at `bad`.
    fn squares(count: usize, threads: usize, at_once: usize, bad: usize) -> Vec<usize> {
        let work = SharedWork::new(count);
        let find = || {
            let _alarm = work.alarm();
            while let Some(numbers) = work.take(at_once) {
                let own = numbers.map(|number| {
                    assert_ne!(number, bad, "that is bad");
                    (number, number * number)
                });
                work.add(&mut own.collect());
            }
        };
        thread::scope(|scope| {
            let others: Vec<_> = (1..threads).map(|_| scope.spawn(find)).collect();
            let own = std::panic::catch_unwind(std::panic::AssertUnwindSafe(find));
            let found = work.finish().collect();
            let failed = others.into_iter().filter_map(|it| it.join().err());
            let failed = failed.count() + usize::from(own.is_err());
            assert_eq!(failed, usize::from(bad < count));
            found
        })
    }

    #[test]
    fn what_any_number_of_threads_find_is_in_the_order_of_the_numbers() {
        for (threads, at_once) in [(1, 1), (2, 1), (3, 7), (4, 1000)] {
            let expected: Vec<usize> = (0..500).map(|number| number * number).collect();
            assert_eq!(squares(500, threads, at_once, usize::MAX), expected);
        }
        assert!(squares(0, 2, 1, usize::MAX).is_empty());
    }

    #[test]
    fn where_a_thread_panics_no_one_waits_for_what_it_had_taken() {
        for bad in [0, 250, 499] {
            assert!(squares(500, 3, 2, bad).len() < 500);
        }
    }
}
