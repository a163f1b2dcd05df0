//! Admissible estimates of the cost-to-go, from abstractions of the task.
//!
//! `domains` holds Cartesian sets of states, `formula` and `change` the task's conditions and effects
//! over them, `interpret` applies those, `model` collects them for a task, `abstraction` generates
//! abstract successors, `table` measures abstract distances, and `refine` finds abstractions.

mod abstraction;
mod change;
mod domains;
mod formula;
mod interpret;
mod model;
mod refine;
mod table;

use super::measure::Measure;
use crate::task::Task;
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

    /// With the keys of something before it.
    pub(crate) const fn plus(self, first: i64, makespan: u32, labels: u32) -> Self {
        Self {
            first: self.first.saturating_add(first),
            makespan: self.makespan.saturating_add(makespan),
            labels: self.labels.saturating_add(labels),
        }
    }
}

/// Estimates the cost-to-go of states at the start of a timestep.
pub(crate) trait Heuristic {
    /// A lower bound that is consistent: no step leads to an estimate that is less by more than the
    /// step adds.
    fn estimate(&self, state: &[u64]) -> Estimate;
}

/// The greatest of the distances in several abstractions, in lexicographic order.
///
/// It is admissible and consistent because each of them is.
#[derive(Debug, Default)]
pub(crate) struct Abstractions {
    tables: Vec<Table>,
}

impl Abstractions {
    /// Builds abstractions of a task for searches from `start`. The work depends on the task alone.
    pub(crate) fn new(task: &Task, start: &[u64], measure: Measure) -> Self {
        let model = Model::new(task);
        let tables = refine::tables(&model, start, measure);
        Self { tables }
    }
}

impl Heuristic for Abstractions {
    fn estimate(&self, state: &[u64]) -> Estimate {
        let mut greatest = Estimate::ZERO;
        for table in &self.tables {
            greatest = greatest.max(table.estimate(state));
        }
        greatest
    }
}
