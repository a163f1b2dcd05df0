//! The states that a beam prefers: near a goal, near several gains, or near the next one.

/// The states that a beam prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pursuit {
    /// Near the goal.
    Goal,
    /// Near several gains, each of which is worth less the farther it is, beside what is gained already.
    Gains,
    /// With most gained already, and of these near the next gain, as near a goal.
    NextGain,
}

impl Pursuit {
    /// A first key so far, as far as it comes before ranks.
    pub(super) const fn before_ranks(self, value: i64) -> i64 {
        match self {
            Self::NextGain => value,
            Self::Goal | Self::Gains => 0,
        }
    }

    /// The same beside ranks.
    pub(super) const fn beside_ranks(self, value: i64) -> i64 {
        value - self.before_ranks(value)
    }
}
