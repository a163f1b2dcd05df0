//! The diagrams of one horizon.

use super::diagram::{Diagram, lower};
use crate::heuristics::cartesian::domains::Domains;

/// Diagrams for one horizon, coarse ones first.
pub(crate) struct Diagrams(pub(super) Vec<Diagram>);

impl Diagrams {
    /// A lower bound on the ticks that remain from all states of a row; `None` if none of them lies on a plan
    /// within the horizon.
    pub(super) fn remaining(&self, domains: &Domains, row: &[u64]) -> Option<u32> {
        let all: Vec<&Diagram> = self.0.iter().collect();
        lower(&all, domains, row, u32::MAX)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(Diagram::bytes).sum()
    }
}
