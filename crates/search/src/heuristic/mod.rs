//! Admissible estimates of the cost-to-go, from abstractions of the task.
//!
//! `domains` holds Cartesian sets of states, `formula` and `change` the task's conditions and effects
//! over them, `reduce` leaves out what does not matter, `narrow` and `interpret` apply what is left,
//! `model` collects it for a task, `stepping` makes timesteps of it, `numbering` numbers abstract
//! states, `graph` holds the steps between them, and `table` measures abstract distances.
//! `abstraction` follows all agents, and `refine` finds what it tells apart. Where several act,
//! `agents` follows one at a time instead: `tracking` says what is told apart of its own, `sphere`
//! what it knows of the rest, `ties` what becomes known together, `closure` what the rest can bring
//! about, `solo` is its abstract space, `view` measures how far it is, `landmark_search` and `supply`
//! what it has to wait for, and `relaxed_plan` tells what matters. `h_max` and `landmark_cut` need no abstract
//! states: they are made of what facts cost (`fact_costs`) in the delete relaxation (`relaxation`), in
//! the unit of `cost_unit`, found in the order of a `cost_queue`; `lists` holds what leads to what.
//! `fast_forward` finds relaxed plans, which lead searches that need no bound, as does how much of a
//! goal is lacking (`goal_parts`).
//! `potential` adds up what single values, and pairs of them, are worth, or distances in projections
//! (patterns); `quick` asks both, and `cuts_and_potentials` landmark cuts too.

mod abstraction;
mod agents;
mod change;
mod closure;
mod cost_queue;
mod cost_unit;
mod cuts_and_potentials;
mod domains;
mod estimate;
mod fact_costs;
mod facts;
mod fast_forward;
mod formula;
mod goal_parts;
mod graph;
mod h_max;
mod interpret;
mod known;
mod landmark;
mod landmark_cut;
mod landmark_search;
mod lists;
mod model;
mod narrow;
mod numbering;
mod potential;
mod quick;
mod reduce;
mod refine;
mod relaxation;
mod relaxed_plan;
mod solo;
mod sphere;
mod stepping;
mod supply;
mod table;
mod ties;
mod tracking;
mod view;

use super::control::Control;
use super::measure::Measure;
use brigade_task::PackedTask;
pub(crate) use cuts_and_potentials::CutsAndPotentials;
pub(crate) use estimate::{Answer, Estimate, Heuristic};
pub(crate) use fast_forward::FastForward;
pub(crate) use h_max::HMax;
pub(crate) use landmark_cut::LandmarkCut;
pub(crate) use potential::{Detail, Patterns, Potential};
pub(crate) use quick::Quick;

use agents::Agents;
use model::Model;
use table::Table;

/// Whether anything can be told of a task: it has a goal, and no step improves what is minimised.
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
    /// Builds abstractions of a task for searches from `start`, in about half the `memory_limit`, if
    /// any, in bytes. What is built depends on the task and on that alone; once `control` says stop,
    /// the rest is left out.
    pub(crate) fn new(
        task: &'t PackedTask,
        start: &[u64],
        measure: Measure,
        memory_limit: Option<usize>,
        control: &dyn Control,
    ) -> Self {
        let model = Model::new(task);
        let agents = Agents::new(&model, start, measure, memory_limit, control);
        // Abstractions know no order of live delayed effects, nor that one is passed over.
        let joint = if agents.is_empty() && task.live.is_none() {
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
    fn estimate(&mut self, state: &[u64]) -> Estimate {
        let joint = self.joint.as_ref();
        let joint = joint.map_or(Estimate::ZERO, |table| table.estimate(state));
        joint.max(self.agents.estimate(&self.model, state))
    }

    fn bytes(&self) -> usize {
        self.joint.as_ref().map_or(0, Table::bytes) + self.agents.bytes()
    }
}
