//! Factories of heuristics: how a search builds one of a caller's own for a task.

use std::fmt;

use super::estimate::Estimate;
use super::heuristic::Heuristic;
use crate::control::Control;
use crate::measure::Measure;
use crate::options::Objective;
use crate::plans::plan::Value;
use brigade_task::{PackedTask, State, Task};

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
    /// The task that is searched. It has a goal, and no step improves what is minimised.
    pub task: &'t PackedTask,
    /// The state from which the search starts.
    pub start: &'c State,
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
        start: &'c State,
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
