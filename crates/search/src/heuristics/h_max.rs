//! h-max (B. Bonet and H. Geffner, "Planning as Heuristic Search", Artificial Intelligence 129,
//! 2001) on the delete relaxation of a task: what the goal costs if of several facts only the
//! dearest has to be paid for.
//!
//! Admissible: whoever has several facts has paid for the dearest of them, and the relaxation can
//! do whatever the task can. Where a part of an operator needs what another part may just have
//! added, or what follows from that for nothing, the operator is paid for before either. What is
//! not chosen (events, timers, axioms) is free. Where several agents choose in a tick, as many
//! choices as there are agents take one tick.
//!
//! Consistent over whole steps: what a step brings about costs no more before it than its choices,
//! so nothing is cheaper after it by more than that.

use super::delete_relaxation::cost_unit::CostUnit;
use super::delete_relaxation::fact_costs::{FactCosts, INFINITE};
use super::delete_relaxation::relaxation::Relaxation;
use super::{Estimate, Heuristic};
use crate::control::Control;
use crate::measure::Measure;
use brigade_task::{PackedTask, State};

/// The bound and its working space; a clone has a working space of its own.
#[derive(Clone)]
pub(crate) struct HMax<'t> {
    costs: FactCosts<'t>,
    unit: CostUnit,
}

impl<'t> HMax<'t> {
    /// Builds it; `None` where every estimate would be zero, as labels come first, the task is too
    /// large, or `control` says stop.
    pub(crate) fn new(
        task: &'t PackedTask,
        measure: Measure,
        control: &dyn Control,
    ) -> Option<Self> {
        let (relaxation, goal) = Relaxation::toward_goal(task, true, control)?;
        let (unit, costs) = CostUnit::new(task, measure, &relaxation)?;
        let costs = FactCosts::new(task, relaxation, goal, &costs);
        Some(Self { costs, unit })
    }
}

impl Heuristic for HMax<'_> {
    fn estimate(&mut self, state: &State) -> Estimate {
        self.costs.reach(state);
        match self.costs.of_goal() {
            INFINITE => Estimate::DEAD,
            cost => self.unit.estimate(i64::from(cost)),
        }
    }

    fn bytes(&self) -> usize {
        self.costs.bytes()
    }

    fn another(&self) -> Option<Box<dyn Heuristic + Send + '_>> {
        Some(Box::new(self.clone()))
    }
}
