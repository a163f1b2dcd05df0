//! Lower bounds on what remains from a state, without a search.

use super::heuristic::{Abstractions, Estimate, Heuristic};
use super::measure::Measure;
use super::options::{Control, Objective};
use super::result::Value;
use crate::task::Task;

/// What abstractions of a task tell of its states: no plan from there is better.
pub struct LowerBounds<'t> {
    abstractions: Abstractions<'t>,
    measure: Measure,
}

impl<'t> LowerBounds<'t> {
    /// Builds abstractions for the states that can be reached from `start`; once `control` says
    /// stop, what is left of that is left out, and bounds are lower. `None` where nothing can be
    /// told: the task has no goal, or any order of the agents counts, or some step improves what is
    /// minimised.
    pub fn new(
        task: &'t Task,
        start: &[u64],
        objective: Objective,
        control: &dyn Control,
    ) -> Option<Self> {
        let measure = Measure::new(task, objective);
        Abstractions::apply_to(task, measure).then(|| Self {
            abstractions: Abstractions::new(task, start, measure, None, control),
            measure,
        })
    }

    /// The bound for a state at the start of a timestep that can be reached from the start. Keys
    /// outside the objective are 0. `None` if no plan leads from there to the goal.
    pub fn of(&mut self, state: &[u64]) -> Option<Value> {
        let rest = self.abstractions.estimate(state);
        let value = || self.measure.value((rest.first, rest.makespan), rest.labels);
        (rest != Estimate::DEAD).then(value)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.abstractions.bytes()
    }
}
