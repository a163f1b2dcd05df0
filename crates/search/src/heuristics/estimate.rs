//! Estimates: lower bounds on the keys of the cost-to-go.

use crate::measure::Measure;

/// A lower bound on the cost-to-go: the keys of the objective, most important first, all minimised.
///
/// Estimates are compared in lexicographic order. Make one with
/// [`EstimateKeys`](crate::EstimateKeys).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Estimate {
    /// The first key.
    pub(crate) first: i64,
    /// Ticks.
    pub(crate) makespan: u32,
    /// The last key.
    pub(crate) labels: u32,
}

impl Estimate {
    /// The trivial bound.
    pub const ZERO: Self = Self {
        first: 0,
        makespan: 0,
        labels: 0,
    };
    /// The bound of a dead end: no plan leads on.
    pub const DEAD: Self = Self {
        first: i64::MAX,
        makespan: u32::MAX,
        labels: u32::MAX,
    };

    /// The first key that a search minimises.
    pub(crate) const fn leading(self, measure: Measure) -> i64 {
        if measure.is_by_makespan() {
            self.makespan as i64
        } else {
            self.first
        }
    }

    /// The sum with the keys of what comes before.
    pub(crate) const fn plus(self, first: i64, makespan: u32, labels: u32) -> Self {
        Self {
            first: self.first.saturating_add(first),
            makespan: self.makespan.saturating_add(makespan),
            labels: self.labels.saturating_add(labels),
        }
    }
}

/// The answer of a heuristic that compares its estimate of a state with a given one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The estimate is at most the given one.
    AtMost,
    /// The estimate itself.
    Exactly(Estimate),
    /// The estimate is greater than the given one, and at least this.
    AtLeast(Estimate),
}

impl Answer {
    /// The answer of the greater of two estimates, compared with `most`.
    pub(crate) fn max(self, other: Self, most: Estimate) -> Self {
        match (self, other) {
            (Self::AtMost, Self::AtMost) => Self::AtMost,
            (Self::Exactly(one), Self::Exactly(other)) => Self::Exactly(one.max(other)),
            (Self::AtMost, Self::Exactly(exact)) | (Self::Exactly(exact), Self::AtMost) => {
                if exact <= most {
                    Self::AtMost
                } else {
                    Self::Exactly(exact)
                }
            }
            (Self::AtLeast(least), Self::AtMost) | (Self::AtMost, Self::AtLeast(least)) => {
                Self::AtLeast(least)
            }
            (Self::AtLeast(one), Self::AtLeast(other) | Self::Exactly(other))
            | (Self::Exactly(one), Self::AtLeast(other)) => Self::AtLeast(one.max(other)),
        }
    }
}
