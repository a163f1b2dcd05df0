//! The greater of potentials and patterns: heuristics that are cheap for a state, once found.

use super::{Heuristic, Max, Patterns, Potential};
use crate::attempt::Guide;

/// Potentials and patterns, as far as they were found.
pub(crate) type PotentialsAndPatterns = Max<Option<Potential>, Option<Patterns>>;

impl PotentialsAndPatterns {
    /// The potentials, if any.
    pub(crate) const fn potentials(&self) -> Option<&Potential> {
        self.0.as_ref()
    }

    /// Returns whether there are patterns.
    pub(crate) const fn has_patterns(&self) -> bool {
        self.1.is_some()
    }

    /// The time that an estimate takes, in states: beside patterns potentials take little of it.
    pub(crate) fn states_per_estimate(&self) -> u64 {
        match &self.1 {
            Some(patterns) => patterns.effort(),
            None => self.0.effort(),
        }
    }

    /// The guide of a search by them.
    pub(crate) fn guide(&self) -> Guide {
        let potentials = self.0.as_ref().map(|_| Guide::POTENTIALS);
        let patterns = self.1.as_ref().map(|_| Guide::PATTERNS);
        let all = [potentials, patterns].into_iter().flatten();
        all.fold(Guide::BLIND, Guide::and)
    }
}
