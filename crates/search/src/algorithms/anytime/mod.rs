//! Good plans while the optimum is not in sight: greedy searches (`greedy`), searches for what is
//! new (`novelty`) and beams (`beam`, `tick_beam`) find them, neighbourhoods make them better (`neighbourhood`).
//!
//! Nothing here is proven, and nothing needs to be: a plan is an upper bound whatever led to it.
//! Work is counted in states and in the effort of heuristics, so that it depends on the task alone;
//! a `Control` may end it before.

mod beam;
mod bounded;
mod greedy;
mod idle;
mod neighbourhood;
mod novelty;
mod queue;
mod store;
#[cfg(test)]
pub(crate) mod testing;
pub(crate) mod tick_beam;

pub(crate) use beam::Beam;
pub(crate) use bounded::Bounded;
pub(crate) use greedy::Greedy;
pub(crate) use idle::idle_plan;
pub(crate) use neighbourhood::{Waypoint, shorten};
pub(crate) use novelty::Novelty;

use crate::heuristics::{Estimate, FastForward, Heuristic, PotentialsAndPatterns};
use brigade_task::{OperatorId, State};

/// An adder of a relaxation is looked at in such a part of the time in which a state is stored.
pub(crate) const EFFORT_PER_STATE: u64 = 120;
/// So many successors are generated in the time in which a search stores a state, about.
pub(crate) const GENERATED_PER_STATE: u64 = 5;

/// The end of a search.
pub(crate) struct Ended {
    /// The node in which a better plan ends.
    pub(crate) goal: Option<u32>,
    /// In a beam that came to its end without such a goal: the nodes that were nearer to one, by
    /// the estimate, than all before; the nearest last.
    pub(crate) nearest: Vec<u32>,
    /// The work spent, in states.
    pub(crate) spent: u64,
    /// True if everything was explored that a better plan may lead through.
    pub(crate) is_complete: bool,
}

/// The guide of a greedy search: relaxed plans, potentials, or the sum of both. Relaxed plans know
/// the way, the others its obstacles: facts that cannot hold together, and actions to be done
/// again.
pub(crate) struct Guide<'g, 't> {
    pub(crate) relaxed: Option<&'g mut FastForward<'t>>,
    pub(crate) cheap: Option<&'g mut PotentialsAndPatterns>,
    /// The effort of these so far, in states.
    summing: u64,
}

impl<'g, 't> Guide<'g, 't> {
    pub(crate) const fn new(
        relaxed: Option<&'g mut FastForward<'t>>,
        cheap: Option<&'g mut PotentialsAndPatterns>,
    ) -> Self {
        Self {
            relaxed,
            cheap,
            summing: 0,
        }
    }

    /// The effort so far, in states.
    pub(crate) fn effort(&self) -> u64 {
        let relaxed = self.relaxed.as_ref();
        self.summing + relaxed.map_or(0, |relaxed| relaxed.effort() / EFFORT_PER_STATE)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let relaxed = self.relaxed.as_ref().map_or(0, |it| it.bytes());
        relaxed + self.cheap.as_ref().map_or(0, |it| it.bytes())
    }

    /// Returns whether a relaxed plan for the state that was estimated last starts with one of
    /// these.
    fn prefers(&self, operators: &[OperatorId]) -> bool {
        let relaxed = self.relaxed.as_ref();
        relaxed.is_some_and(|relaxed| operators.iter().any(|&it| relaxed.prefers(it)))
    }

    /// The estimated cost-to-go, and a lower bound on it. `None` where there is no plan.
    fn estimate(&mut self, half: usize, state: &State) -> Option<(Estimate, Estimate)> {
        let mut bound = Estimate::ZERO;
        // In the middle of a step nothing is estimated.
        if let Some(cheap) = &mut self.cheap
            && half == 0
        {
            bound = cheap.estimate(state);
            self.summing += cheap.states_per_estimate();
        }
        if bound == Estimate::DEAD {
            return None;
        }
        let rank = match &mut self.relaxed {
            Some(relaxed) => relaxed.estimate(state)?,
            None => Estimate::ZERO,
        };
        Some((rank.plus(bound.first, bound.makespan, 0), bound))
    }
}
