//! Admissible estimates of the cost-to-go, from abstractions of the task.
//!
//! `domains` holds Cartesian sets of states, `formula` and `change` the task's conditions and effects
//! over them, `reduce` leaves out what does not matter, `narrow` and `interpret` apply what is left,
//! `model` collects it for a task, `stepping` makes timesteps of it, `numbering` numbers abstract
//! states, `graph` holds the steps between them, and `table` measures abstract distances.
//! `abstraction` follows all agents, and `refine` finds what it tells apart. Where several act,
//! `agents` follows one at a time instead: `tracking` says what is told apart of its own, `sphere`
//! what it knows of the rest, `ties` what becomes known together, `closure` what the rest can bring
//! about, `solo` is its abstract space, `view` measures how far it is, `landmark` and `supply` what it
//! has to wait for, and `relaxed_plan` tells what matters. `h_max` and `landmark_cut` need no abstract
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
mod fact_costs;
mod fast_forward;
mod formula;
mod goal_parts;
mod graph;
mod h_max;
mod interpret;
mod landmark;
mod landmark_cut;
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
use brigade_task::Task;
pub(crate) use cuts_and_potentials::CutsAndPotentials;
pub(crate) use fast_forward::FastForward;
pub(crate) use h_max::HMax;
pub(crate) use landmark_cut::LandmarkCut;
pub(crate) use potential::{Detail, Patterns, Potential};
pub(crate) use quick::Quick;

use agents::Agents;
use model::Model;
use table::Table;

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

/// Whether anything can be told of a task: it has a goal, and no step improves what is minimised.
pub(crate) fn applies_to(task: &Task, measure: Measure) -> bool {
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
        task: &'t Task,
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
