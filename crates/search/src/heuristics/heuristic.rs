//! Heuristics: admissible estimates of states, also of callers' own.

use super::estimate::{Answer, Estimate};
use brigade_task::State;

/// An admissible heuristic: a lower bound on the cost-to-go of states of one task.
///
/// # Contract
///
/// - **Admissible.** [`estimate`](Self::estimate) exceeds the keys of no plan from the state, in
///   lexicographic order. It need not be consistent: a node that is reached better is expanded
///   again. Optima are proven by it, so an estimate that is too great makes a proof wrong.
/// - **States.** A state is at the start of a timestep. It is neither a goal state nor a losing
///   one: a search recognises these itself, and never asks for their estimate. It can be reached
///   from the start that the heuristic was built for; see
///   [`HeuristicFactory::needs_reachable_states`](crate::HeuristicFactory::needs_reachable_states).
/// - **Dead ends.** [`Estimate::DEAD`] is a proof that no plan leads on. The state is pruned.
/// - **Determinism.** The estimate of a state depends on the state alone: not on the states
///   estimated before, on time, or on the thread.
/// - **Memory.** [`bytes`](Self::bytes) counts against the memory limit of the search.
pub trait Heuristic {
    /// A lower bound on the cost-to-go of a state.
    fn estimate(&mut self, state: &State) -> Estimate;

    /// Compares the estimate of a state with `most`, where that takes less time than the estimate.
    fn ask(&mut self, state: &State, most: Estimate) -> Answer {
        let _ = most;
        Answer::Exactly(self.estimate(state))
    }

    /// Bytes held by now, without caches whose size depends on which thread estimated which states.
    fn bytes(&self) -> usize;

    /// The time that an estimate takes, about, in multiples of the time in which a state is stored.
    fn effort(&self) -> u64 {
        0
    }

    /// Returns whether an estimate takes so little time that several threads gain nothing.
    fn is_cheap(&self) -> bool {
        false
    }

    /// A second heuristic with the same estimates, for another thread; `None` where that cannot be.
    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        None
    }
}

/// A heuristic that may be missing: then it knows nothing.
impl<H: Heuristic + Send> Heuristic for Option<H> {
    fn estimate(&mut self, state: &State) -> Estimate {
        self.as_mut()
            .map_or(Estimate::ZERO, |it| it.estimate(state))
    }

    fn ask(&mut self, state: &State, most: Estimate) -> Answer {
        self.as_mut()
            .map_or(Answer::Exactly(Estimate::ZERO), |it| it.ask(state, most))
    }

    fn bytes(&self) -> usize {
        self.as_ref().map_or(0, Heuristic::bytes)
    }

    fn effort(&self) -> u64 {
        self.as_ref().map_or(0, Heuristic::effort)
    }

    fn is_cheap(&self) -> bool {
        self.as_ref().is_none_or(Heuristic::is_cheap)
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        match self {
            Some(heuristic) => heuristic.another(),
            None => Some(Box::new(None::<H>)),
        }
    }
}

impl<H: Heuristic + ?Sized> Heuristic for Box<H> {
    fn estimate(&mut self, state: &State) -> Estimate {
        (**self).estimate(state)
    }

    fn ask(&mut self, state: &State, most: Estimate) -> Answer {
        (**self).ask(state, most)
    }

    fn bytes(&self) -> usize {
        (**self).bytes()
    }

    fn effort(&self) -> u64 {
        (**self).effort()
    }

    fn is_cheap(&self) -> bool {
        (**self).is_cheap()
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        (**self).another()
    }
}
