//! The costs of facts in the delete relaxation of a task, from a state.
//!
//! A fact costs what the cheapest adder of it costs, and before that the dearest of what this adder
//! needs (B. Bonet and H. Geffner, "Planning as Heuristic Search", Artificial Intelligence 129,
//! 2001). The goal is a fact too. Costs are found in order, as in Dijkstra's algorithm, and found
//! again where some operators become cheaper.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::cost_queue::CostQueue;
use super::relaxation::Relaxation;
use brigade_task::{PackedTask, State};

/// No fact.
pub(crate) const NONE: u32 = u32::MAX;
/// The cost of what is not reached.
pub(crate) const INFINITE: u32 = u32::MAX;

/// An adder in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    /// The rest of the cost of its operator.
    pub(crate) cost: u32,
    /// The cost of its dearest need.
    pub(crate) needs_cost: u32,
    /// Its dearest need; [`NONE`] if it needs nothing, or is not reached.
    pub(crate) dearest: u32,
    /// The number of its needs that are not reached.
    missing: u32,
}

/// The costs of the facts of a relaxation from a state. A clone has a working space of its own.
#[derive(Clone)]
pub(crate) struct FactCosts<'t> {
    task: &'t PackedTask,
    relaxation: Arc<Relaxation>,
    goal: u32,
    /// Each adder before anything is reached.
    untouched: Arc<[Reached]>,
    adders: Vec<Reached>,
    /// For each fact what it costs.
    values: Vec<u32>,
    queue: CostQueue,
    /// Adders that have been looked at since that was noted.
    effort: u64,
    /// Adders that this and all clones have looked at, as far as noted.
    noted_effort: Arc<AtomicU64>,
}

impl<'t> FactCosts<'t> {
    /// With what each operator costs; [`CostUnit`](super::cost_unit::CostUnit) says how great costs
    /// may be.
    pub(crate) fn new(
        task: &'t PackedTask,
        relaxation: Relaxation,
        goal: u32,
        costs: &[u32],
    ) -> Self {
        let untouched = (0..relaxation.adders()).map(|adder| {
            let missing = relaxation.needs.of(adder).len() as u32;
            Reached {
                cost: (relaxation.operator(adder)).map_or(0, |operator| costs[operator.index()]),
                needs_cost: if missing == 0 { 0 } else { INFINITE },
                dearest: NONE,
                missing,
            }
        });
        let untouched: Vec<Reached> = untouched.collect();
        Self {
            task,
            goal,
            adders: untouched.clone(),
            untouched: untouched.into(),
            values: vec![INFINITE; relaxation.facts as usize],
            queue: CostQueue::default(),
            effort: 0,
            noted_effort: Arc::default(),
            relaxation: Arc::new(relaxation),
        }
    }

    /// The goal.
    pub(crate) const fn goal(&self) -> u32 {
        self.goal
    }

    pub(crate) fn relaxation(&self) -> &Relaxation {
        &self.relaxation
    }

    /// An adder in the state that was reached last.
    pub(crate) fn adder(&self, adder: u32) -> Reached {
        self.adders[adder as usize]
    }

    /// The cost of a fact; [`INFINITE`] if it is not reached.
    pub(crate) fn of(&self, fact: u32) -> u32 {
        self.values[fact as usize]
    }

    /// The number of adders looked at by now, also by clones, as far as it was noted.
    pub(crate) fn effort(&self) -> u64 {
        self.noted_effort.load(Ordering::Relaxed)
    }

    /// Notes how many adders have been looked at.
    pub(crate) fn note_effort(&mut self) {
        let effort = std::mem::take(&mut self.effort);
        self.noted_effort.fetch_add(effort, Ordering::Relaxed);
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        2 * size_of_val(&*self.untouched) + size_of_val(&*self.values) + self.relaxation.bytes()
    }

    /// The cost of the goal.
    pub(crate) fn of_goal(&self) -> u32 {
        self.of(self.goal)
    }

    /// Costs from a state.
    pub(crate) fn reach(&mut self, state: &State) {
        let Self {
            task,
            relaxation,
            adders,
            values,
            queue,
            effort,
            ..
        } = self;
        values.fill(INFINITE);
        adders.copy_from_slice(&self.untouched);
        relaxation.for_each_fact(task, state, |fact| offer(values, queue, fact, 0));
        for &adder in &relaxation.needless {
            let cost = adders[adder as usize].cost;
            for &fact in relaxation.adds.of(adder) {
                offer(values, queue, fact, cost);
            }
        }
        while let Some((value, fact)) = queue.pop() {
            if values[fact as usize] < value {
                continue;
            }
            let followed = relaxation.needed_by.of(fact);
            *effort += followed.len() as u64;
            for &index in followed {
                let adder = &mut adders[index as usize];
                adder.missing -= 1;
                if adder.missing == 0 {
                    (adder.dearest, _) = dearest_of(relaxation.needs.of(index), values);
                    adder.needs_cost = value;
                    let value = value.saturating_add(adder.cost);
                    for &fact in relaxation.adds.of(index) {
                        offer(values, queue, fact, value);
                    }
                }
            }
        }
    }

    /// Lowers the cost of an adder; [`Self::settle`] is due then.
    pub(crate) fn lower(&mut self, index: u32, by: u32) {
        let adder = &mut self.adders[index as usize];
        adder.cost -= by;
        if adder.needs_cost != INFINITE {
            let value = adder.needs_cost.saturating_add(adder.cost);
            for &fact in self.relaxation.adds.of(index) {
                offer(&mut self.values, &mut self.queue, fact, value);
            }
        }
    }

    /// Costs once some adders cost less. They are exact up to the cost of the goal; what costs as
    /// much as the goal is not followed further, so what is dearer may keep its earlier cost.
    pub(crate) fn settle(&mut self) {
        let goal = self.goal as usize;
        let Self {
            relaxation,
            adders,
            values,
            queue,
            effort,
            ..
        } = self;
        while let Some((value, fact)) = queue.pop() {
            if value >= values[goal] {
                queue.clear();
                break;
            }
            if values[fact as usize] < value {
                continue;
            }
            let followed = relaxation.needed_by.of(fact);
            *effort += followed.len() as u64;
            for &index in followed {
                let adder = &mut adders[index as usize];
                if adder.dearest != fact || adder.needs_cost <= value {
                    continue;
                }
                let (dearest, most) = dearest_of(relaxation.needs.of(index), values);
                adder.dearest = dearest;
                if most < adder.needs_cost {
                    adder.needs_cost = most;
                    let value = most.saturating_add(adder.cost);
                    for &fact in relaxation.adds.of(index) {
                        offer(values, queue, fact, value);
                    }
                }
            }
        }
    }
}

/// The first of the dearest needs, and its cost.
fn dearest_of(needs: &[u32], values: &[u32]) -> (u32, u32) {
    let mut dearest = (NONE, 0);
    for &need in needs {
        let cost = values[need as usize];
        if dearest.0 == NONE || cost > dearest.1 {
            dearest = (need, cost);
        }
    }
    dearest
}

fn offer(values: &mut [u32], queue: &mut CostQueue, fact: u32, value: u32) {
    let known = &mut values[fact as usize];
    if value < *known {
        *known = value;
        queue.push(value, fact);
    }
}
