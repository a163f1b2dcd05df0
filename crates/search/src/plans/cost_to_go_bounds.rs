//! Lower bounds on each key of the cost-to-go: exact where the task is small enough to tabulate,
//! else from abstractions for the most important key.

use super::plan::Value;
use super::slack::Bounds;
use crate::control::{Control, StopReason};
use crate::distances::{Distances, Lookup};
use crate::heuristics::{Abstractions, Estimate, Heuristic, applies_to};
use crate::measure::Measure;
use crate::options::{Objective, SearchOptions};
use brigade_task::{PackedTask, State};

/// The most nodes that are tabulated.
const MOST_TABULATED: u64 = 500_000;

/// Each table, or the abstractions, may take one over this of the memory limit.
const SHARE: usize = 5;

/// Bounds on the cost-to-go under several objectives: of each, the first key counts.
pub(crate) struct CostToGoBounds<'t> {
    exact: Vec<(Objective, Distances<'t>)>,
    estimated: Option<(Abstractions<'t>, Measure)>,
}

impl<'t> CostToGoBounds<'t> {
    /// Builds bounds on the keys that `bounds` limits.
    pub(crate) fn new(
        task: &'t PackedTask,
        bounds: Bounds,
        options: &SearchOptions,
        control: &dyn Control,
    ) -> Result<Self, StopReason> {
        let memory_limit = options.memory_limit.map(|most| most / SHARE);
        let mut lower_bounds = Self {
            exact: Vec::new(),
            estimated: None,
        };
        let objectives = [
            (true, Objective::Makespan),
            (bounds.cost.is_some(), Objective::Cost),
            (bounds.labels.is_some(), Objective::Labels),
        ];
        for (_, objective) in objectives.into_iter().filter(|(counts, _)| *counts) {
            let mut distances = Distances::new(
                task,
                options
                    .clone()
                    .with_objective(objective)
                    .with_memory_limit(memory_limit),
            );
            match distances.tabulate(MOST_TABULATED, control) {
                Ok(()) => lower_bounds.exact.push((objective, distances)),
                // The others have as many nodes.
                Err(StopReason::States | StopReason::Memory) => break,
                Err(reason) => return Err(reason),
            }
        }
        if lower_bounds.exact.is_empty() {
            let objective = match bounds.cost {
                Some(_) => Objective::Cost,
                None => Objective::Makespan,
            };
            let measure = Measure::new(task, objective);
            if applies_to(task, measure) {
                let start = &task.initial;
                let bounds = Abstractions::new(task, start, measure, memory_limit, control);
                lower_bounds.estimated = Some((bounds, measure));
            }
        }
        Ok(lower_bounds)
    }

    /// For each key a value that no plan from there is better in; `None` if there is no plan.
    pub(crate) fn after(&mut self, state: &State) -> Option<Value> {
        let mut least = Value::default();
        for (objective, distances) in &self.exact {
            let best = match distances.lookup(state) {
                Lookup::Found(best) => best,
                Lookup::NoPlan => return None,
                Lookup::Unknown => continue,
            };
            match objective {
                Objective::Cost => least.cost = best.cost,
                Objective::Labels => least.labels = best.labels,
                Objective::Makespan | Objective::Declared => least.makespan = best.makespan,
            }
        }
        if let Some((abstractions, measure)) = &mut self.estimated {
            let rest = abstractions.estimate(state);
            if rest == Estimate::DEAD {
                return None;
            }
            let makespan = if measure.is_by_makespan() {
                rest.makespan
            } else {
                0
            };
            least = measure.value((rest.first, makespan), 0);
        }
        Some(least)
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let exact = self.exact.iter().map(|(_, distances)| distances.bytes());
        let estimated = self.estimated.as_ref();
        exact.sum::<usize>() + estimated.map_or(0, |(bounds, _)| bounds.bytes())
    }
}
