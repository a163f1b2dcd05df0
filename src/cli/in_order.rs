//! Work on several files at a time, whose results come in the order of the files.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// The stack of a thread that works on a file, in bytes: what the main thread has.
const STACK: usize = 8 << 20;

/// Does `work` on each item, on all cores, and gives the results to `take`, one after another.
pub(super) fn in_order<'i, I: Sync, T: Send>(
    items: &'i [I],
    work: impl Fn(&'i I) -> T + Sync,
    mut take: impl FnMut(&'i I, T),
) {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    if items.len() < 2 || cores < 2 {
        return items.iter().for_each(|item| take(item, work(item)));
    }
    let next = AtomicUsize::new(0);
    let (sender, results) = mpsc::channel();
    thread::scope(|scope| {
        let mut threads = 0;
        for _ in 0..cores.min(items.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            let worker = move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(at) else { return };
                    if sender.send((at, work(item))).is_err() {
                        return;
                    }
                }
            };
            let thread = thread::Builder::new().stack_size(STACK);
            threads += usize::from(thread.spawn_scoped(scope, worker).is_ok());
        }
        drop(sender);
        if threads == 0 {
            return items.iter().for_each(|item| take(item, work(item)));
        }
        let mut early = BTreeMap::new();
        let mut wanted = 0;
        for (at, result) in results {
            early.insert(at, result);
            while let Some(result) = early.remove(&wanted) {
                take(&items[wanted], result);
                wanted += 1;
            }
        }
    });
}
