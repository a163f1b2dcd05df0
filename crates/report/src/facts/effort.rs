//! The effort of searches for facts.

use std::num::NonZeroUsize;

use brigade_search::{Outcome, SearchOptions};

/// The limits of searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The most states that each search stores, that are explored, and that are followed for hand-overs.
    pub states: u64,
    /// The number of search threads; the results do not depend on it.
    pub threads: NonZeroUsize,
}

impl Effort {
    /// A search for all optimal plans that goes as far.
    pub(super) fn search(&self) -> SearchOptions {
        SearchOptions::default()
            .with_all_plans(true)
            .with_max_states(self.states)
            .with_threads(self.threads)
    }
}

/// Returns whether there is a plan, as far as a search has found out.
pub(super) fn is_solvable(outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::Unsolvable => Some(false),
        outcome => outcome.plan().map(|_| true),
    }
}
