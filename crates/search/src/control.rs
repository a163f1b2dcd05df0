//! Limits and interruptions of a search, and its reports on the way.

use crate::plans::plan::Value;

/// The reason why a search stopped before it had its proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StopReason {
    /// The time given is over.
    #[error("the time limit was reached")]
    Time,
    /// Someone asked it to stop.
    #[error("the search was interrupted")]
    Interrupted,
    /// The next allocation would exceed
    /// [`SearchOptions::with_memory_limit`](crate::SearchOptions::with_memory_limit), and iterative
    /// deepening, if it went on, has used up
    /// [`SearchOptions::with_deepening_limit`](crate::SearchOptions::with_deepening_limit).
    #[error("the memory limit was reached")]
    Memory,
    /// [`SearchOptions::with_max_states`](crate::SearchOptions::with_max_states) states are stored,
    /// or as many as can be numbered.
    #[error("the limit on the number of states was reached")]
    States,
    /// A step lowers what is minimised, and the task has no horizon that bounds how often.
    #[error("some step improves the metric, and no horizon bounds how often it may be taken")]
    Unbounded,
    /// The cost of the best plan does not fit into 64 bits.
    #[error("the costs of a plan pass 2^63-1, the greatest sum that is exact; use smaller numbers")]
    Overflow,
}

impl StopReason {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Time,
        Self::Interrupted,
        Self::Memory,
        Self::States,
        Self::Unbounded,
        Self::Overflow,
    ];
}

/// The progress of a running search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// Nodes that the current attempt has stored.
    pub states: u64,
    /// Proven so far; see [`Outcome::Bounded`](crate::Outcome::Bounded). It never gets worse.
    pub lower: Option<Value>,
    /// The value of the best plan known. It never gets worse.
    pub upper: Option<Value>,
}

/// A search asks its [`Control`] after as many nodes, or [`SUCCESSORS_PER_POLL`]: a node of a large
/// task takes milliseconds, asking some tens of nanoseconds.
pub(super) const NODES_PER_POLL: u64 = 16;

/// See [`NODES_PER_POLL`].
pub(super) const SUCCESSORS_PER_POLL: u64 = 1024;

/// Cancellation and deadline, asked for every few nodes.
pub trait Control {
    /// Why to stop now, if so.
    fn stop(&self) -> Option<StopReason>;

    /// Notified whenever the search goes on to the next value of its bound, or has a better plan.
    fn progress(&self, progress: &Progress) {
        let _ = progress;
    }
}

/// Never stops a search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unlimited;

impl Control for Unlimited {
    fn stop(&self) -> Option<StopReason> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_to_stop_is_listed_once() {
        let place = |reason: StopReason| match reason {
            StopReason::Time => 0,
            StopReason::Interrupted => 1,
            StopReason::Memory => 2,
            StopReason::States => 3,
            StopReason::Unbounded => 4,
            StopReason::Overflow => 5,
        };
        let places: Vec<usize> = StopReason::ALL.into_iter().map(place).collect();
        assert_eq!(places, [0, 1, 2, 3, 4, 5]);
    }
}
