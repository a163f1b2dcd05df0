//! Several things that are found by as many threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::control::{Control, StopReason};
use crate::threads::{Pieces, together};

/// So often the control is asked while others have not ended.
const PAUSE: Duration = Duration::from_millis(5);

/// Says stop once the control of the first thread did.
struct Follower<'a>(&'a AtomicBool);

impl Control for Follower<'_> {
    fn stop(&self) -> Option<StopReason> {
        let is_stopped = self.0.load(Ordering::Relaxed);
        is_stopped.then_some(StopReason::Interrupted)
    }
}

/// Lets the others know when to stop.
struct Leader<'a> {
    control: &'a dyn Control,
    is_stopped: &'a AtomicBool,
}

impl Control for Leader<'_> {
    fn stop(&self) -> Option<StopReason> {
        let reason = self.control.stop();
        if reason.is_some() {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
        reason
    }
}

/// One that has not ended; even one that panics ends.
struct Busy<'a>(&'a AtomicUsize);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Finds so many things by their numbers, on so many threads at most; `None` if one is not found,
/// or once `control` says stop.
pub(crate) fn all_or_none<T: Send>(
    count: usize,
    threads: usize,
    find: impl Fn(usize, &dyn Control) -> Option<T> + Sync,
    control: &dyn Control,
) -> Option<Vec<T>> {
    let is_stopped = AtomicBool::new(false);
    let busy = AtomicUsize::new(0);
    let pieces = Pieces::new(0..count);
    let take = |found: &mut Vec<(usize, Option<T>)>, control: &dyn Control| {
        busy.fetch_add(1, Ordering::Relaxed);
        let _busy = Busy(&busy);
        while let Some(number) = pieces.take() {
            found.push((number, find(number, control)));
        }
    };
    let mut workers: Vec<Vec<(usize, Option<T>)>> = Vec::new();
    workers.resize_with(threads.clamp(1, count.max(1)), Vec::new);
    together(
        &mut workers,
        |found| take(found, &Follower(&is_stopped)),
        |found| {
            let leader = Leader {
                control,
                is_stopped: &is_stopped,
            };
            take(found, &leader);
            while busy.load(Ordering::Relaxed) > 0 && leader.stop().is_none() {
                thread::sleep(PAUSE);
            }
        },
    );
    let mut found: Vec<(usize, Option<T>)> = workers.into_iter().flatten().collect();
    found.sort_unstable_by_key(|&(number, _)| number);
    let found = found.into_iter().map(|(_, found)| found);
    found.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Unlimited;

    #[test]
    fn all_are_found_in_order_or_none() {
        for threads in 1..4 {
            let double = |number: usize, _: &dyn Control| Some(2 * number);
            let found = all_or_none(10, threads, double, &Unlimited);
            assert_eq!(found, Some((0..10).map(|it| 2 * it).collect()));
            let all_but_one = |number: usize, _: &dyn Control| (number != 7).then_some(number);
            assert_eq!(all_or_none(10, threads, all_but_one, &Unlimited), None);
        }
    }

    #[test]
    fn what_stops_one_stops_the_others() {
        struct Over;
        impl Control for Over {
            fn stop(&self) -> Option<StopReason> {
                Some(StopReason::Time)
            }
        }
        let until_stopped = |_: usize, control: &dyn Control| -> Option<()> {
            while control.stop().is_none() {
                thread::yield_now();
            }
            None
        };
        assert_eq!(all_or_none(3, 3, until_stopped, &Over), None);
    }
}
