//! The states that a beam prefers: near a goal, with most of its conjuncts, near several gains, near the next one, or
//! of the best promise.

/// The parts of the divisor of gains in which promises are compared. Measured: in 30 s and 400 steps of
/// `asymmetric_advantages`, `coordination_ring`, `forced_coordination` and `counter_circuit` 400, 340, 320 and 140 are
/// gained with 100; with 20 it is 360, 320, 280 and 140, with 1,000 it is 420, 320, 280 and 140.
pub(super) const PARTS: i64 = 100;

/// The states that a beam prefers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pursuit {
    /// Near the goal.
    Goal,
    /// With most conjuncts of the goal met, and of these near the others, the nearest of which counts most. Measured: with
    /// `Goal` a dinner, an evening and a rush of CookMAS have plans of 39, 25 and 90 ticks within 30 s.
    Conjuncts,
    /// Near several gains, each of which is worth less the farther it is, beside what is gained already.
    Gains,
    /// With most gained already, and of these near the next gain, as near a goal.
    NextGain,
    /// From which most may be gained in all, as far as a bound knows, and of these near the next gain.
    Promise,
}

impl Pursuit {
    /// A first key so far, as far as it comes before ranks.
    pub(super) const fn before_ranks(self, value: i64) -> i64 {
        match self {
            Self::NextGain | Self::Promise => value,
            Self::Goal | Self::Conjuncts | Self::Gains => 0,
        }
    }

    /// The key of a node that comes before its rank by each measure. From gain to gain it is by operators the first key so
    /// far, by ticks the promise as well. Measured: beams of width 25 and 50 gain 120 and 180 in 400 steps of
    /// `coordination_ring`, 60 and 120 where all go by the first key so far.
    pub(super) const fn before_each(self, value: i64, promise: i64, fine_promise: i64) -> [i64; 2] {
        match self {
            Self::Promise => [fine_promise; 2],
            Self::NextGain => [value, promise],
            Self::Goal | Self::Conjuncts | Self::Gains => [0; 2],
        }
    }

    /// The same beside ranks.
    pub(super) const fn beside_ranks(self, value: i64) -> i64 {
        value - self.before_ranks(value)
    }
}
