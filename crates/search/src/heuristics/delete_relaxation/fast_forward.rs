//! The FF heuristic: the cost of the operators of a relaxed plan (J. Hoffmann and B. Nebel, "The FF
//! planning system", JAIR 14, 2001), each fact from the adder that is cheapest by the sum of what
//! it needs (E. Keyder and H. Geffner, "Heuristics for planning with action costs revisited", ECAI
//! 2008).
//!
//! It leads searches for good plans. It is no bound, but for this: where even the relaxation
//! reaches no goal, there is no plan.

use super::goal_parts::GoalParts;
use super::relaxation::Relaxation;
use super::relaxed_costs::{Kind, NEVER, RelaxedCosts};
use crate::control::Control;
use crate::heuristics::Estimate;
use crate::measure::Measure;
use brigade_task::cost_range;
use brigade_task::{OperatorId, PackedTask, State};

/// The dearest operator weighs so much more than one for nothing: every choice counts, so that a
/// relaxed plan is not only cheap but also short.
const DEAREST: i64 = 100;

/// Relaxed plans, and the working space to find them.
pub(crate) struct FastForward<'t> {
    task: &'t PackedTask,
    relaxation: Relaxation,
    goal: u32,
    parts: GoalParts,
    relaxed: RelaxedCosts,
    /// The least that each operator adds to the first key.
    costs: Vec<i64>,
    per_tick: u32,
}

impl<'t> FastForward<'t> {
    /// `None` where the relaxation is too large, or `control` says stop.
    pub(crate) fn new(
        task: &'t PackedTask,
        measure: Measure,
        control: &dyn Control,
    ) -> Option<Self> {
        let (relaxation, goal) = Relaxation::toward_goal(task, control)?;
        let costs: Vec<i64> = (task.operators.iter())
            .map(|operator| {
                let range = cost_range::of_operator(task, operator);
                let cost = range.and_then(|range| measure.least_cost(range));
                let otherwise = i64::from(!measure.is_by_makespan());
                cost.filter(|_| !measure.is_by_makespan())
                    .map_or(otherwise, |cost| cost.max(0))
            })
            .collect();
        let most = costs.iter().copied().max().unwrap_or(0).max(1);
        let weight = |adder: u32| {
            relaxation.operator(adder).map_or(0, |operator| {
                let cost = costs[operator.index()].min(i64::MAX / DEAREST);
                1 + (cost * DEAREST / most) as u32
            })
        };
        let weights = (0..relaxation.adders()).map(weight).collect();
        let targets = std::iter::once(goal);
        Some(Self {
            task,
            parts: GoalParts::new(task, &relaxation, goal),
            relaxed: RelaxedCosts::new(task, &relaxation, Kind::Additive(weights), targets),
            costs,
            per_tick: task.choices_per_step().max(1) as u32,
            relaxation,
            goal,
        })
    }

    /// The number of adders looked at by now.
    pub(crate) const fn effort(&self) -> u64 {
        self.relaxed.effort()
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        self.relaxation.bytes() + self.relaxed.bytes() + self.parts.bytes()
    }

    /// The number of facts.
    pub(crate) const fn fact_count(&self) -> u32 {
        self.relaxation.facts
    }

    /// The facts of a state, in place of those in `facts`.
    pub(crate) fn facts_of(&self, state: &State, facts: &mut Vec<u32>) {
        facts.clear();
        (self.relaxation).for_each_fact(self.task, state, |fact| facts.push(fact));
    }

    /// The number of goal facts that do not hold where these do.
    pub(crate) fn unmet(&mut self, facts: &[u32]) -> u32 {
        self.parts.unmet(facts)
    }

    /// The facts that the last relaxed plan brings about.
    pub(crate) fn facts_to_reach(&self) -> Vec<u32> {
        let facts = 0..self.relaxation.facts;
        facts
            .filter(|&fact| self.relaxed.is_planned(fact))
            .collect()
    }

    /// Returns whether the last relaxed plan starts with an operator.
    pub(crate) fn prefers(&self, operator: OperatorId) -> bool {
        self.relaxed.starts_with(operator)
    }

    /// The keys of a relaxed plan; `None` where there is none.
    pub(crate) fn estimate(&mut self, state: &State) -> Option<Estimate> {
        let Self {
            task,
            relaxation,
            relaxed,
            ..
        } = self;
        relaxed.compute(task, relaxation, state, 1, NEVER);
        if relaxed.of(self.goal) == NEVER {
            return None;
        }
        let chosen = relaxed.plan(relaxation, self.goal);
        let costs = chosen
            .iter()
            .map(|(operator, _)| self.costs[operator.index()]);
        let first = costs.fold(0_i64, i64::saturating_add);
        let choices = chosen.len() as u32;
        Some(Estimate::ZERO.plus(first, choices.div_ceil(self.per_tick), 0))
    }
}
