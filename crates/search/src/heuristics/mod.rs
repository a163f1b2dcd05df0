//! Admissible estimates of the cost-to-go.
//!
//! An `estimate` is a lower bound on each key of the objective. Heuristics come in families:
//!
//! - `landmark_cut` computes costs in the `delete_relaxation`, as do relaxed plans, which guide
//!   searches that need no bound;
//! - `abstractions` measure distances in domain abstractions of the whole task, `agent_projections`
//!   in projections to one agent at a time;
//! - `decision_diagram` bounds the makespan where all agents act in every tick, by sets of states
//!   for each tick;
//! - `potentials` are weights of values and of pairs of values, from a linear program; `patterns`
//!   add up distances in projections to single objects.
//!
//! `cartesian` holds what abstractions, projections and potentials share: Cartesian sets of states,
//! and the task over them. A `heuristic` is a public trait: callers add their own, and use it by
//! name from a `registry`, where a `factory` builds it. `max` is the greater of two, as of
//! `potentials_and_patterns`.

mod abstractions;
mod agent_projections;
mod cartesian;
mod decision_diagram;
pub(crate) mod delete_relaxation;
mod estimate;
mod factory;
mod heuristic;
mod landmark_cut;
mod max;
mod patterns;
mod potentials;
mod potentials_and_patterns;
mod registry;

use crate::control::Control;
use crate::measure::Measure;
use brigade_task::{PackedTask, State};
pub(crate) use decision_diagram::{Ladder, Limits as LadderLimits, Verdict};
pub(crate) use delete_relaxation::fast_forward::FastForward;
pub use estimate::{Answer, Estimate};
pub use factory::{EstimateKeys, HeuristicContext, HeuristicFactory};
pub use heuristic::Heuristic;
pub(crate) use landmark_cut::LandmarkCut;
pub use max::Max;
pub(crate) use patterns::Patterns;
pub(crate) use potentials::totals::TotalPotentials;
pub(crate) use potentials::{Detail, Potential};
pub(crate) use potentials_and_patterns::PotentialsAndPatterns;
pub use registry::{HeuristicRegistry, UnknownHeuristic};

use abstractions::refine;
use abstractions::table::Table;
use agent_projections::agents::Agents;
use cartesian::model::Model;

/// Returns whether heuristics apply to a task: it has a goal, and no step improves what is
/// minimised.
pub(crate) fn applies_to(task: &PackedTask, measure: Measure) -> bool {
    task.goal.is_some() && measure.is_monotone(task)
}

/// The greatest of the bounds that several abstractions give, in lexicographic order.
pub(crate) struct Abstractions<'t> {
    model: Model<'t>,
    joint: Option<Table>,
    agents: Agents,
}

impl<'t> Abstractions<'t> {
    /// Builds abstractions of a task for searches from `start`, in about half the `memory_limit`,
    /// if any, in bytes. What is built depends on the task and on that alone; once `control` says
    /// stop, the rest is left out.
    pub(crate) fn new(
        task: &'t PackedTask,
        start: &State,
        measure: Measure,
        memory_limit: Option<usize>,
        control: &dyn Control,
    ) -> Self {
        Self::new_unless_poor(task, start, measure, memory_limit, &mut || true, control)
    }

    /// The same; where views of agents may show little for the time they take, nothing is built unless
    /// `are_poor_wanted`.
    pub(crate) fn new_unless_poor(
        task: &'t PackedTask,
        start: &State,
        measure: Measure,
        memory_limit: Option<usize>,
        are_poor_wanted: &mut dyn FnMut() -> bool,
        control: &dyn Control,
    ) -> Self {
        let model = Model::new(task);
        let agents = Agents::new(
            &model,
            start,
            measure,
            memory_limit,
            are_poor_wanted,
            control,
        );
        let is_wanted = agents.is_some();
        let agents = agents.unwrap_or_default();
        // Abstractions know no order of live delayed effects, nor that one is passed over.
        let joint = if is_wanted && agents.is_empty() && task.live.is_none() {
            refine::table(&model, start, measure, control)
        } else {
            None
        };
        Self {
            model,
            joint,
            agents,
        }
    }
}

impl Heuristic for Abstractions<'_> {
    fn estimate(&mut self, state: &State) -> Estimate {
        let joint = self.joint.as_ref();
        let joint = joint.map_or(Estimate::ZERO, |table| table.estimate(state));
        joint.max(self.agents.estimate(&self.model, state))
    }

    fn bytes(&self) -> usize {
        self.joint.as_ref().map_or(0, Table::bytes) + self.agents.bytes()
    }
}
