//! Estimates of the cost-to-go, and what gives them.

use crate::measure::Measure;

/// A lower bound on what remains: the keys of the objective, most important first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Estimate {
    /// The first key.
    pub(crate) first: i64,
    /// Ticks.
    pub(crate) makespan: u32,
    /// The last key.
    pub(crate) labels: u32,
}

impl Estimate {
    /// Nothing is known.
    pub(crate) const ZERO: Self = Self {
        first: 0,
        makespan: 0,
        labels: 0,
    };
    /// No goal can be reached.
    pub(crate) const DEAD: Self = Self {
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

    /// With the keys of something before it.
    pub(crate) const fn plus(self, first: i64, makespan: u32, labels: u32) -> Self {
        Self {
            first: self.first.saturating_add(first),
            makespan: self.makespan.saturating_add(makespan),
            labels: self.labels.saturating_add(labels),
        }
    }
}

/// What is told of a state about which it was asked whether at most so much is to come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The estimate is no more than that.
    AtMost,
    /// The estimate.
    Exactly(Estimate),
    /// The estimate is more than that, and this at least.
    AtLeast(Estimate),
}

/// Estimates the cost-to-go of states at the start of a timestep.
pub(crate) trait Heuristic {
    /// A lower bound. It need not be consistent: a node that is reached better is expanded again.
    fn estimate(&mut self, state: &[u64]) -> Estimate;
    /// Whether the estimate is at most `most`, where that takes less time to tell.
    fn ask(&mut self, state: &[u64], _most: Estimate) -> Answer {
        Answer::Exactly(self.estimate(state))
    }
    /// Bytes held by now, without what depends on which states were estimated by which thread.
    fn bytes(&self) -> usize;
    /// How much an estimate takes, about, in the time in which a state is stored.
    fn effort(&self) -> u64 {
        0
    }
    /// Another one for another thread. It gives every state the same estimate, whatever either has
    /// estimated before; `None` where that cannot be, or estimates take too little time.
    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        None
    }
}
