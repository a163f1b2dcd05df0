//! The FF heuristic: the cost of the operators of a relaxed plan (J. Hoffmann and B. Nebel, "The FF
//! planning system", JAIR 14, 2001), each fact from the adder that is cheapest by the sum of what
//! it needs (E. Keyder and H. Geffner, "Heuristics for planning with action costs revisited", ECAI
//! 2008).
//!
//! It leads searches for good plans. It is no bound, but for this: where even the relaxation
//! reaches no goal, there is no plan.

use super::cost_queue::CostQueue;
use super::fact_costs::{INFINITE, NONE};
use super::goal_parts::GoalParts;
use super::lists::Lists;
use super::relaxation::{FREE, Relaxation};
use crate::control::Control;
use crate::heuristics::Estimate;
use crate::heuristics::cartesian::model::Model;
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
    parts: GoalParts,
    /// For each adder what it needs, and what it adds.
    needs: Lists,
    adds: Lists,
    /// For each fact the adders that need it.
    needed_by: Lists,
    /// Adders that need nothing.
    needless: Vec<u32>,
    /// The least that each operator adds to the first key.
    costs: Vec<i64>,
    /// By which adders are compared; nothing for what is not chosen.
    weights: Vec<u32>,
    per_tick: u32,
    /// For each adder how many needs it has, how many of them are not reached, and what the others
    /// weigh together.
    counts: Vec<u32>,
    missing: Vec<u32>,
    sums: Vec<u32>,
    /// For each fact its weight, and its adder: [`NONE`] where it holds.
    values: Vec<u32>,
    adders: Vec<u32>,
    queue: CostQueue,
    /// Facts still to be followed back, and those that were met.
    open: Vec<u32>,
    is_met: Vec<bool>,
    /// The operators of a relaxed plan, each with what it waits for: one that is needed several
    /// times counts so often.
    chosen: Vec<(u32, u32)>,
    /// For each operator the number of the last relaxed plan that it starts.
    starts: Vec<u32>,
    plans: u32,
    effort: u64,
}

impl<'t> FastForward<'t> {
    /// `None` where the relaxation is too large, or `control` says stop.
    pub(crate) fn new(
        task: &'t PackedTask,
        measure: Measure,
        control: &dyn Control,
    ) -> Option<Self> {
        let relaxation = Relaxation::new(&Model::new(task), control)?;
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
        let weight = |operator: u32| match operator {
            FREE => 0,
            operator => {
                1 + (costs[operator as usize].min(i64::MAX / DEAREST) * DEAREST / most) as u32
            }
        };
        let adders = || (0_u32..).zip(&relaxation.adders);
        let needs =
            || adders().flat_map(|(index, adder)| adder.needs.iter().map(move |&n| (index, n)));
        let adds =
            || adders().flat_map(|(index, adder)| adder.adds.iter().map(move |&a| (index, a)));
        let (count, facts) = (relaxation.adders.len(), relaxation.facts as usize);
        let counts = adders().map(|(_, adder)| adder.needs.len() as u32);
        let needless = adders().filter(|(_, adder)| adder.needs.is_empty());
        Some(Self {
            task,
            parts: GoalParts::new(&relaxation, task),
            needs: Lists::new(count, needs()),
            adds: Lists::new(count, adds()),
            needed_by: Lists::new(facts, needs().map(|(adder, fact)| (fact, adder))),
            needless: needless.map(|(index, _)| index).collect(),
            weights: adders().map(|(_, adder)| weight(adder.operator)).collect(),
            costs,
            per_tick: task.choices_per_step().max(1) as u32,
            counts: counts.collect(),
            missing: vec![0; count],
            sums: vec![0; count],
            values: vec![INFINITE; facts],
            adders: vec![NONE; facts],
            queue: CostQueue::default(),
            open: Vec::new(),
            is_met: vec![false; facts],
            chosen: Vec::new(),
            starts: vec![0; task.operators.len()],
            plans: 0,
            effort: 0,
            relaxation,
        })
    }

    /// The number of adders looked at by now.
    pub(crate) const fn effort(&self) -> u64 {
        self.effort
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let lists = [&self.needs, &self.adds, &self.needed_by];
        lists.iter().map(|lists| lists.bytes()).sum::<usize>()
            + 4 * size_of_val(&*self.counts)
            + 2 * size_of_val(&*self.values)
            + self.relaxation.bytes()
            + self.parts.bytes()
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
        let is_reached =
            |&fact: &u32| self.is_met[fact as usize] && self.adders[fact as usize] != NONE;
        (0..self.relaxation.facts).filter(is_reached).collect()
    }

    /// Returns whether the last relaxed plan starts with an operator.
    pub(crate) fn prefers(&self, operator: OperatorId) -> bool {
        self.starts[operator.index()] == self.plans
    }

    /// The keys of a relaxed plan; `None` where there is none.
    pub(crate) fn estimate(&mut self, state: &State) -> Option<Estimate> {
        self.reach(state);
        let goal = self.relaxation.goal;
        if self.values[goal as usize] == INFINITE {
            return None;
        }
        self.plans += 1;
        self.is_met.fill(false);
        self.is_met[goal as usize] = true;
        self.open.push(goal);
        while let Some(fact) = self.open.pop() {
            let adder = self.adders[fact as usize];
            if adder == NONE {
                continue;
            }
            let operator = self.relaxation.adders[adder as usize].operator;
            if operator != FREE {
                let needs = self.sums[adder as usize];
                self.chosen.push((operator, needs));
                if needs == 0 {
                    self.starts[operator as usize] = self.plans;
                }
            }
            for &need in self.needs.of(adder) {
                if !std::mem::replace(&mut self.is_met[need as usize], true) {
                    self.open.push(need);
                }
            }
        }
        self.chosen.sort_unstable();
        self.chosen.dedup();
        let choices = self.chosen.len() as u32;
        let costs = self.chosen.drain(..);
        let costs = costs.map(|(operator, _)| self.costs[operator as usize]);
        let first = costs.fold(0_i64, i64::saturating_add);
        Some(Estimate::ZERO.plus(first, choices.div_ceil(self.per_tick), 0))
    }

    /// Finds the adders of facts, in the order of their weights (Dijkstra), up to the goal.
    fn reach(&mut self, state: &State) {
        self.values.fill(INFINITE);
        self.adders.fill(NONE);
        self.sums.fill(0);
        self.missing.copy_from_slice(&self.counts);
        let (values, queue) = (&mut self.values, &mut self.queue);
        self.relaxation.for_each_fact(self.task, state, |fact| {
            if std::mem::replace(&mut values[fact as usize], 0) == INFINITE {
                queue.push(0, fact);
            }
        });
        for index in 0..self.needless.len() {
            self.offer(self.needless[index]);
        }
        while let Some((value, fact)) = self.queue.pop() {
            if self.values[fact as usize] < value {
                continue;
            }
            if fact == self.relaxation.goal {
                self.queue.clear();
                break;
            }
            let followed = self.needed_by.of(fact).len();
            self.effort += followed as u64;
            for index in 0..followed {
                let adder = self.needed_by.of(fact)[index];
                let sum = &mut self.sums[adder as usize];
                *sum = sum.saturating_add(value).min(INFINITE / 2);
                self.missing[adder as usize] -= 1;
                if self.missing[adder as usize] == 0 {
                    self.offer(adder);
                }
            }
        }
    }

    /// Offers the facts of an adder at the cost of the adder.
    fn offer(&mut self, adder: u32) {
        let value = self.sums[adder as usize] + self.weights[adder as usize];
        for &fact in self.adds.of(adder) {
            if value < self.values[fact as usize] {
                self.values[fact as usize] = value;
                self.adders[fact as usize] = adder;
                self.queue.push(value, fact);
            }
        }
    }
}
