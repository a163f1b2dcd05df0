//! The exact costs-to-go that process metrics ask for, and all optimal plans ahead; kept from one
//! episode of a task to the next.
//!
//! The unit is that of the problem's first metric, or ticks where it has none. A small space is tabulated once. Else
//! each state that is asked for is searched from, and the costs-to-go along the plan that is found are kept, also that
//! a search has met a limit of memory or states.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::quantity::Quantity;
use brigade_search::dag::PlanDag;
use brigade_search::{
    Control, Distances, Objective, Outcome, SearchOptions, Start, StopReason, Unproven, Value,
    solve, solve_from, with_first_choices,
};
use brigade_task::effect::Record;
use brigade_task::{Metric, OperatorId, PackedTask, State, StateBuf};

/// A space of no more nodes is tabulated: that takes about as long as one search.
const TABULATED: u64 = 200_000;

/// The most edges of graphs of optimal plans that are kept, beside the last one.
const KEPT_EDGES: usize = 2_000_000;

/// The unit of costs-to-go and regrets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Ticks.
    Ticks,
    /// The cost as the task counts it.
    Cost,
    /// The same negated, where the greatest is best.
    NegatedCost,
}

/// A state, and who chooses there.
type Place = (usize, StateBuf);

/// Exact costs-to-go of one task.
pub struct CostToGo<'t> {
    task: &'t PackedTask,
    /// The task that was played.
    played: &'t PackedTask,
    options: SearchOptions,
    distances: Distances<'t>,
    /// True once tabulating the space was attempted.
    tried: bool,
    /// Searches that met a limit that they would meet again.
    given_up: BTreeMap<Place, Quantity>,
    /// Costs-to-go after some of the choices of a timestep in which all choose at once.
    chosen: BTreeMap<(StateBuf, Vec<OperatorId>), Quantity>,
    ahead: BTreeMap<Place, Ahead>,
    kept_edges: usize,
}

/// All optimal plans from a state, or why they are not known.
pub(super) type Ahead = Result<Arc<PlanDag>, NoPlans>;

/// The reason why the optimal plans from a state are not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoPlans {
    /// There are none.
    #[error("no plan leads to the goal from there")]
    None,
    /// The search for one, or the collection of all, was stopped.
    #[error("{0}")]
    Stopped(StopReason),
}

impl std::fmt::Debug for CostToGo<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CostToGo").finish_non_exhaustive()
    }
}

impl<'t> CostToGo<'t> {
    /// Knows nothing yet. Of the options the limits and threads count, for each search by itself: with
    /// `max_states` a state that is hard to search from does not use up the time of all others.
    pub fn new(task: &'t PackedTask, options: SearchOptions) -> Self {
        let options = options
            .with_objective(match task.metric {
                Metric::Makespan => Objective::Makespan,
                Metric::Cost | Metric::NegatedCost => Objective::Cost,
            })
            .with_all_plans(false)
            .with_plans_up_to_symmetry(false);
        Self {
            task,
            played: task,
            distances: Distances::new(task, options.clone()),
            options,
            tried: false,
            given_up: BTreeMap::new(),
            chosen: BTreeMap::new(),
            ahead: BTreeMap::new(),
            kept_edges: 0,
        }
    }

    /// Of a task as agents know it: `played` also has the facts that come unannounced. These are no one's choice, and
    /// lose nothing.
    pub fn informed(known: &'t PackedTask, played: &'t PackedTask, options: SearchOptions) -> Self {
        Self {
            played,
            ..Self::new(known, options)
        }
    }

    /// The task that was played.
    pub(crate) const fn played(&self) -> &'t PackedTask {
        self.played
    }

    /// The task.
    pub const fn task(&self) -> &'t PackedTask {
        self.task
    }

    /// Returns the unit of costs-to-go.
    pub fn unit(&self) -> Unit {
        match self.task.metric {
            Metric::Makespan => Unit::Ticks,
            Metric::Cost => Unit::Cost,
            Metric::NegatedCost => Unit::NegatedCost,
        }
    }

    /// Returns the value of the metric before the first step, in the unit: a part of the cost of a whole plan.
    pub fn initial(&self) -> i64 {
        match self.unit() {
            Unit::Ticks => 0,
            Unit::Cost => self.task.initial_cost,
            Unit::NegatedCost => self.task.initial_cost.saturating_neg(),
        }
    }

    /// Returns the number of units in one unit of the problem's metric; 1 for ticks.
    pub fn scale(&self) -> i64 {
        match self.task.metric {
            Metric::Makespan => 1,
            Metric::Cost | Metric::NegatedCost => self.task.cost_scale,
        }
    }

    /// The cost-to-go of a state that can be reached from the task's initial state.
    pub fn of(&mut self, start: Start, control: &dyn Control) -> Quantity {
        if !self.tried {
            self.tried = true;
            // At a limit nothing is tabulated, and each state is searched from.
            let _ = self.distances.tabulate(TABULATED, control);
        }
        let place = (start.agent, start.state.into());
        if let Some(&known) = self.given_up.get(&place) {
            return known;
        }
        match self.distances.bound(start, control) {
            Ok(Some(value)) => Quantity::Exact(self.measure(value)),
            Ok(None) => Quantity::Infinite,
            Err(known) => {
                let bounds = self.bounds(known);
                if matches!(known.reason, StopReason::Memory | StopReason::States) {
                    self.given_up.insert(place, bounds);
                }
                bounds
            }
        }
    }

    /// The cost-to-go from the start of a timestep in which all choose at once, where the first
    /// agents have made the choices `chosen` and the others, and all later, choose best.
    pub(super) fn after(
        &mut self,
        state: &State,
        chosen: &[OperatorId],
        control: &dyn Control,
    ) -> Quantity {
        let key = (state.into(), chosen.to_vec());
        if let Some(&known) = self.chosen.get(&key) {
            return known;
        }
        let value = if self.distances.is_tabulated() {
            self.best_completion(state, chosen, control)
        } else {
            self.search_after(state, chosen, control)
        };
        let may_change = matches!(
            value.stopped(),
            Some(StopReason::Time | StopReason::Interrupted)
        );
        if !may_change {
            self.chosen.insert(key, value);
        }
        value
    }

    /// All optimal plans from a state, with as few labels as can be.
    pub(super) fn ahead(&mut self, start: Start, control: &dyn Control) -> Ahead {
        let place: Place = (start.agent, start.state.into());
        if let Some(known) = self.ahead.get(&place) {
            return known.clone();
        }
        if let Some(reason) = control.stop() {
            return Err(NoPlans::Stopped(reason));
        }
        let options = self
            .options
            .clone()
            .with_objective(Objective::Declared)
            .with_all_plans(true);
        let result = solve_from(self.task, start, &options, control);
        let ahead = match (result.dag, result.dag_stopped, result.outcome) {
            (_, Some(reason), _) | (_, _, Outcome::Bounded { reason, .. }) => {
                Err(NoPlans::Stopped(reason))
            }
            (Some(dag), ..) => Ok(Arc::new(dag)),
            (None, ..) => Err(NoPlans::None),
        };
        if matches!(
            ahead,
            Err(NoPlans::Stopped(StopReason::Time | StopReason::Interrupted))
        ) {
            return ahead;
        }
        let edges = ahead.as_ref().map_or(0, |dag| dag.edges.len());
        if self.kept_edges.saturating_add(edges) > KEPT_EDGES {
            self.ahead.clear();
            self.kept_edges = 0;
        }
        self.kept_edges += edges;
        self.ahead.insert(place, ahead.clone());
        ahead
    }

    /// Returns the part of a value that the unit counts.
    pub(super) fn measure(&self, value: Value) -> i64 {
        match self.unit() {
            Unit::Ticks => i64::from(value.makespan),
            Unit::Cost => value.cost,
            Unit::NegatedCost => value.cost.saturating_neg(),
        }
    }

    fn bounds(&self, known: Unproven) -> Quantity {
        let measure = |value: Option<Value>| value.map(|value| self.measure(value));
        // What was searched from is no end, so a tick at least is to come.
        let a_tick = (self.unit() == Unit::Ticks).then_some(1);
        let lower = measure(known.lower).max(a_tick);
        Quantity::within(lower, measure(known.upper), known.reason)
    }

    fn search_after(
        &self,
        state: &State,
        chosen: &[OperatorId],
        control: &dyn Control,
    ) -> Quantity {
        if let Some(reason) = control.stop() {
            return self.bounds(Unproven {
                lower: None,
                upper: None,
                reason,
            });
        }
        let task = with_first_choices(self.task, state, chosen);
        match solve(&task, &self.options, control).outcome {
            Outcome::Solved(plan) => Quantity::Exact(self.measure(plan.value)),
            Outcome::Unsolvable => Quantity::Infinite,
            Outcome::Bounded {
                lower,
                upper,
                reason,
            } => self.bounds(Unproven {
                lower,
                upper: upper.map(|plan| plan.value),
                reason,
            }),
        }
    }

    /// The same where the cost-to-go of every successor is known: the least over the choices of the
    /// agents that remain.
    fn best_completion(
        &mut self,
        state: &State,
        chosen: &[OperatorId],
        control: &dyn Control,
    ) -> Quantity {
        let task = self.task;
        let others: Vec<Vec<OperatorId>> = (chosen.len()..task.agents.len())
            .map(|agent| task.applicable(state, agent).collect())
            .collect();
        let mut best = Quantity::Infinite;
        let combinations: usize = others.iter().map(Vec::len).product();
        for index in 0..combinations {
            let mut next = state.to_owned();
            let mut record = Record::default();
            let mut rest = index;
            for &choice in chosen {
                task.act(&mut next, choice, &mut record);
            }
            for choices in &others {
                task.act(&mut next, choices[rest % choices.len()], &mut record);
                rest /= choices.len();
            }
            task.tick(&mut next, &mut record);
            let cost = self.measure(Value {
                cost: record.cost,
                makespan: 1,
                labels: 0,
            });
            let start = Start {
                state: &next,
                agent: 0,
            };
            let through = self.of(start, control).plus(cost);
            best = match (best, through) {
                (best, Quantity::Infinite) => best,
                (Quantity::Exact(best), Quantity::Exact(other)) => Quantity::Exact(best.min(other)),
                (_, through) => through,
            };
        }
        best
    }
}
