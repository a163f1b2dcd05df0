//! The limits of the classical form.

use super::outcome::Most;

/// Limits on the size of the files, and on the work to make them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Actions that one operator becomes, or conditions of its effects, before the state is tested
    /// step by step.
    pub few: usize,
    /// Conditions of one action, where that is not possible.
    pub conditions: usize,
    /// Conditions of one action of the tick, if it can be several.
    pub tick: usize,
    /// Facts in all actions.
    pub facts: usize,
    /// Edges of the decision diagrams of one action.
    pub edges: usize,
    /// Steps that making the decision diagrams may take in all.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            few: 200,
            conditions: 20_000,
            tick: 1_000,
            facts: 2_000_000,
            edges: 2_000_000,
            work: 100_000_000,
        }
    }
}

impl Limits {
    pub(super) const fn most(&self) -> Most {
        Most {
            few: self.few,
            conditions: self.conditions,
        }
    }
}
