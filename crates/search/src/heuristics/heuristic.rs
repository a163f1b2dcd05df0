//! Heuristics: lower bounds on the cost-to-go, also of callers' own, and the greatest of several.

use std::fmt;

use super::estimate::{Answer, Estimate};
use crate::control::Control;
use crate::measure::Measure;
use crate::options::Objective;
use crate::plans::plan::Value;
use brigade_task::{PackedTask, Task};

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
///   [`HeuristicFactory::needs_reachable_states`].
/// - **Dead ends.** [`Estimate::DEAD`] is a proof that no plan leads on. The state is pruned.
/// - **Determinism.** The estimate of a state depends on the state alone: not on the states
///   estimated before, on time, or on the thread.
/// - **Memory.** [`bytes`](Self::bytes) counts against the memory limit of the search.
pub trait Heuristic {
    /// A lower bound on the cost-to-go of a state.
    fn estimate(&mut self, state: &[u64]) -> Estimate;

    /// Compares the estimate of a state with `most`, where that takes less time than the estimate.
    fn ask(&mut self, state: &[u64], most: Estimate) -> Answer {
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
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        self.as_mut()
            .map_or(Estimate::ZERO, |it| it.estimate(state))
    }

    fn ask(&mut self, state: &[u64], most: Estimate) -> Answer {
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
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        (**self).estimate(state)
    }

    fn ask(&mut self, state: &[u64], most: Estimate) -> Answer {
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

/// The greater of two estimates, in lexicographic order. It is admissible if both are.
#[derive(Clone, Debug)]
pub struct Max<A, B>(
    /// The first heuristic.
    pub A,
    /// The second one.
    pub B,
);

impl<A: Heuristic, B: Heuristic> Heuristic for Max<A, B> {
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        self.0.estimate(state).max(self.1.estimate(state))
    }

    fn ask(&mut self, state: &[u64], most: Estimate) -> Answer {
        match self.0.ask(state, most) {
            // Had the second only shown that it is more, all that effort would be made again.
            Answer::Exactly(first) if !self.0.is_cheap() => {
                Answer::Exactly(first.max(self.1.estimate(state)))
            }
            first => first.max(self.1.ask(state, most), most),
        }
    }

    fn bytes(&self) -> usize {
        self.0.bytes() + self.1.bytes()
    }

    fn effort(&self) -> u64 {
        self.0.effort().max(self.1.effort())
    }

    fn is_cheap(&self) -> bool {
        self.0.is_cheap() && self.1.is_cheap()
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(Max(self.0.another()?, self.1.another()?)))
    }
}

/// A heuristic that someone outside the crate adds: its name, and how it is built for a task.
///
/// A search uses it by its name, from the [registry](crate::HeuristicRegistry) of its options.
pub trait HeuristicFactory: fmt::Debug + Send + Sync {
    /// The name, in lower case. Attempts show it ([`Guide`](crate::Guide)).
    fn name(&self) -> &'static str;

    /// Builds the heuristic of a task; `None` where it would be zero everywhere. The search is
    /// blind then.
    fn build<'t>(&self, context: &HeuristicContext<'t, '_>) -> Option<Box<dyn Heuristic + 't>>;

    /// Returns whether the heuristic is admissible for reachable states only.
    ///
    /// A search with symmetries replaces a state by an equivalent one, in which interchangeable
    /// objects have changed places. Where this holds, it uses only symmetries that keep the start
    /// as it is, so that such states can be reached too.
    fn needs_reachable_states(&self) -> bool {
        true
    }
}

/// All that a heuristic may use while it is built.
#[derive(Clone, Copy)]
#[non_exhaustive]
pub struct HeuristicContext<'t, 'c> {
    /// The task. It has a goal, and no step improves what is minimised.
    pub task: &'t PackedTask,
    /// The state from which the search starts.
    pub start: &'c [u64],
    /// The objective that is minimised.
    pub objective: Objective,
    /// The bytes that states, tables and the heuristic may take together, if that is limited.
    pub memory_limit: Option<usize>,
    /// Once it says stop, the rest of the construction should be left out.
    pub control: &'c dyn Control,
}

impl<'t, 'c> HeuristicContext<'t, 'c> {
    pub(crate) const fn new(
        task: &'t PackedTask,
        start: &'c [u64],
        objective: Objective,
        memory_limit: Option<usize>,
        control: &'c dyn Control,
    ) -> Self {
        Self {
            task,
            start,
            objective,
            memory_limit,
            control,
        }
    }

    /// A way to make estimates: bounds on cost, makespan and labels become one on the keys of the
    /// objective. It outlives the context.
    pub fn keys(&self) -> EstimateKeys {
        EstimateKeys::new(self.task, self.objective)
    }
}

/// The keys of an objective, as a way to make [estimates](Estimate) in their order.
#[derive(Clone, Copy, Debug)]
pub struct EstimateKeys(Measure);

impl EstimateKeys {
    /// The keys that an objective counts in a task.
    pub const fn new(task: &Task, objective: Objective) -> Self {
        Self(Measure::new(task, objective))
    }

    /// The estimate that no plan from a state is better than `bound` in any key: it has at least as
    /// many ticks and labels, and at least the cost, or at most where a metric is maximised.
    pub const fn estimate(self, bound: Value) -> Estimate {
        let [first, ..] = self.0.keys(bound);
        Estimate {
            first,
            makespan: bound.makespan,
            labels: if self.0.counts_labels() {
                bound.labels
            } else {
                0
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Estimates in makespan: the number in a state, in full or by comparison.
    #[derive(Clone)]
    struct Number {
        by: u64,
        compares: bool,
        asked: u32,
    }

    impl Heuristic for Number {
        fn estimate(&mut self, state: &[u64]) -> Estimate {
            self.asked += 1;
            Estimate {
                makespan: (state[0] / self.by) as u32,
                ..Estimate::ZERO
            }
        }

        fn ask(&mut self, state: &[u64], most: Estimate) -> Answer {
            let exact = self.estimate(state);
            match self.compares {
                true if exact <= most => Answer::AtMost,
                true => Answer::AtLeast(most),
                false => Answer::Exactly(exact),
            }
        }

        fn bytes(&self) -> usize {
            8
        }

        fn is_cheap(&self) -> bool {
            self.by == 1
        }
    }

    fn number(by: u64, compares: bool) -> Number {
        Number {
            by,
            compares,
            asked: 0,
        }
    }

    fn ticks(makespan: u32) -> Estimate {
        Estimate {
            makespan,
            ..Estimate::ZERO
        }
    }

    #[test]
    fn the_greater_estimate_counts() {
        let mut both = Max(number(2, false), Some(number(1, false)));
        assert_eq!(both.estimate(&[7]), ticks(7));
        assert_eq!(both.bytes(), 16);
        let mut one = Max(number(2, false), None::<Number>);
        assert_eq!(one.estimate(&[7]), ticks(3));
    }

    #[test]
    fn a_comparison_agrees_with_the_greater_estimate() {
        for (first, second) in [(false, false), (false, true), (true, false), (true, true)] {
            for (state, most) in (0..8).flat_map(|state| (0..8).map(move |most| (state, most))) {
                for by in [1, 2] {
                    let mut both = Max(number(by, first), number(3, second));
                    let exact = both.estimate(&[state]);
                    let about = format!("{first} {second} {state} {most} {by}");
                    match both.ask(&[state], ticks(most)) {
                        Answer::AtMost => assert!(exact <= ticks(most), "{about}"),
                        Answer::Exactly(told) => assert_eq!(told, exact, "{about}"),
                        Answer::AtLeast(told) => {
                            assert!(exact > ticks(most) && told <= exact, "{about}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn what_took_long_to_estimate_exactly_is_not_left_open_by_the_other() {
        let mut both = Max(number(2, false), number(1, true));
        assert_eq!(both.ask(&[9], ticks(5)), Answer::Exactly(ticks(9)));
    }
}
