//! The tokens that a model has taken, as its server counts them.

use serde::{Deserialize, Serialize};

/// The tokens of one answer, as the server counts them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Of the question.
    pub input: u64,
    /// Of the answer.
    pub output: u64,
    /// Of the question, those that the server had read before; `None` where it does not say.
    pub cached: Option<u64>,
    /// Of the answer, those that are not shown; `None` where the server does not say.
    pub reasoning: Option<u64>,
}

impl Usage {
    /// Returns the tokens of both. A count that only one of them has is taken from that one.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let both = |one: Option<u64>, two: Option<u64>| match (one, two) {
            (Some(one), Some(two)) => Some(one.saturating_add(two)),
            (one, two) => one.or(two),
        };
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cached: both(self.cached, other.cached),
            reasoning: both(self.reasoning, other.reasoning),
        }
    }
}
