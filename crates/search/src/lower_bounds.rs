//! Lower bounds on what remains from a state, without a search.

use std::num::NonZeroUsize;

use crate::control::Control;
use crate::heuristics::{
    Abstractions, Detail, Estimate, Heuristic, HeuristicContext, HeuristicFactory, LandmarkCut,
    Patterns, Potential, applies_to,
};
use crate::measure::Measure;
use crate::options::{HeuristicChoice, Objective};
use crate::plans::plan::Value;
use crate::reductions::symmetry::Symmetries;
use brigade_task::{PackedTask, State};

/// Admissible estimates of a task's states: no plan from there is better.
pub struct LowerBounds<'t> {
    heuristic: Box<dyn Heuristic + 't>,
    measure: Measure,
}

impl<'t> LowerBounds<'t> {
    /// Prepares a heuristic for the states that can be reached from `start`; once `control` says
    /// stop, the rest of that is left out, and bounds are lower. `None` where there is no heuristic
    /// or no goal, where some step improves what is minimised, or where the heuristic does not
    /// apply. `Auto` means abstractions here, and `Named` is not looked up: see [`by`](Self::by).
    pub fn new(
        task: &'t PackedTask,
        start: &State,
        objective: Objective,
        choice: HeuristicChoice,
        control: &dyn Control,
    ) -> Option<Self> {
        let measure = Measure::new(task, objective);
        if !applies_to(task, measure) {
            return None;
        }
        let heuristic: Box<dyn Heuristic + 't> = match choice {
            HeuristicChoice::Blind
            | HeuristicChoice::DecisionDiagrams
            | HeuristicChoice::Named(_) => return None,
            HeuristicChoice::LandmarkCut => Box::new(LandmarkCut::new(task, measure, control)?),
            HeuristicChoice::Potentials => {
                let symmetries = Symmetries::find(task, control);
                let symmetries = symmetries.as_ref();
                Box::new(Potential::new(
                    task,
                    start,
                    measure,
                    symmetries,
                    Detail::MUCH,
                    None,
                    control,
                )?)
            }
            HeuristicChoice::Patterns => {
                let symmetries = Symmetries::find(task, control);
                let symmetries = symmetries.as_ref();
                Box::new(Patterns::new(
                    task,
                    start,
                    measure,
                    symmetries,
                    None,
                    NonZeroUsize::MIN,
                    control,
                )?)
            }
            HeuristicChoice::Abstractions | HeuristicChoice::Auto => {
                Box::new(Abstractions::new(task, start, measure, None, control))
            }
        };
        Some(Self { heuristic, measure })
    }

    /// The same by a heuristic of the caller's own.
    pub fn by(
        factory: &dyn HeuristicFactory,
        task: &'t PackedTask,
        start: &State,
        objective: Objective,
        control: &dyn Control,
    ) -> Option<Self> {
        let measure = Measure::new(task, objective);
        let context = HeuristicContext::new(task, start, objective, None, control);
        let heuristic = applies_to(task, measure).then(|| factory.build(&context))??;
        Some(Self { heuristic, measure })
    }

    /// The bound for a state at the start of a timestep that can be reached from the start. Keys
    /// outside the objective are 0. `None` if no plan leads from there to the goal.
    pub fn of(&mut self, state: &State) -> Option<Value> {
        let rest = self.heuristic.estimate(state);
        let value = || self.measure.value((rest.first, rest.makespan), rest.labels);
        (rest != Estimate::DEAD).then(value)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.heuristic.bytes()
    }
}
