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

    /// The key that comes before the rank by each measure: by operators the first key so far, by ticks the promise as well.
    /// Measured: beams of width 25 and 50 gain 120 and 180 in 400 steps of `coordination_ring`, 60 and 120 where all go
    /// by the first key so far, 140 and 180 where all go by the promise; but then 12 kitchens of CuisineWorld complete
    /// 61 orders instead of 64.
    pub(super) const fn before_each(self, value: i64, promise: i64) -> [i64; 2] {
        [self.before_ranks(value), self.before_ranks(promise)]
    }

    /// The same beside ranks.
    pub(super) const fn beside_ranks(self, value: i64) -> i64 {
        value - self.before_ranks(value)
    }
}
