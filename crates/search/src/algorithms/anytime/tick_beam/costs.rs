//! The cost of each fact in the delete relaxation, from a state: additive (B. Bonet and H. Geffner,
//! "Planning as Heuristic Search", 2001), or the first moment at which it may hold.

use super::network::{NONE, Network};
use brigade_task::rules::FactId;
use brigade_task::{OperatorId, PackedTask, State};

/// A fact that is not reached.
pub(super) const NEVER: u32 = u32::MAX;

/// The greatest cost: additive ones are cut off there, and facts that come later are taken to be out of reach. It
/// bounds the memory of the buckets.
const MOST: u32 = 1 << 20;

/// A kind of cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The sum over what is needed, in tenths of an operator.
    Additive,
    /// Moments: phases of ticks.
    Moments,
}

/// A rule while costs are computed.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// The number of its needs that are not reached.
    open: u32,
    /// The cost of the others.
    so_far: u32,
}

/// The costs of facts from the state that was asked for last.
#[derive(Debug)]
pub(super) struct Costs {
    kind: Kind,
    /// For each fact its cost, or [`NEVER`].
    pub(super) of: Vec<u32>,
    /// For each fact the rule that adds it at that cost, or [`NONE`].
    supporter: Vec<u32>,
    initial: Vec<Pending>,
    pending: Vec<Pending>,
    /// Facts by cost; those of this call end at `top`.
    buckets: Vec<Vec<FactId>>,
    top: usize,
    /// The facts whose cost is final, by the number of the call.
    closed: Vec<u32>,
    call: u32,
    /// Facts for which it is enough to know their cost.
    pub(super) targets: Vec<bool>,
    /// Those of them that were reached, nearest first.
    pub(super) reached: Vec<FactId>,
    /// Facts that a plan contains, by the number of the plan.
    planned: Vec<u32>,
    plans: u32,
    open: Vec<FactId>,
    /// The operators of a plan, each with the cost of what it needs.
    operators: Vec<(OperatorId, u32)>,
    /// The operators of the last plan that can be started at once.
    pub(super) helpful: Vec<OperatorId>,
    /// The number of rules looked at so far.
    pub(super) effort: u64,
}

impl Costs {
    pub(super) fn new(network: &Network, kind: Kind) -> Self {
        let needs = network.needs.iter();
        let initial: Vec<Pending> = needs.map(|&open| Pending { open, so_far: 0 }).collect();
        Self {
            kind,
            of: vec![NEVER; network.facts],
            supporter: vec![NONE; network.facts],
            pending: initial.clone(),
            initial,
            buckets: Vec::new(),
            top: 0,
            closed: vec![0; network.facts],
            call: 0,
            targets: vec![false; network.facts],
            reached: Vec::new(),
            planned: vec![0; network.facts],
            plans: 0,
            open: Vec::new(),
            operators: Vec::new(),
            helpful: Vec::new(),
            effort: 0,
        }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        let buckets = self.buckets.capacity() * size_of::<Vec<FactId>>();
        2 * size_of_val(&*self.initial) + 6 * size_of_val(&*self.of) + buckets
    }

    /// Computes costs from a state, cheapest facts first, until so many targets are reached or a cost
    /// exceeds `most`.
    pub(super) fn compute(
        &mut self,
        network: &Network,
        task: &PackedTask,
        state: &State,
        targets: usize,
        most: u32,
    ) {
        self.of.fill(NEVER);
        self.call += 1;
        self.reached.clear();
        let used = self.buckets.iter_mut().take(self.top + 1);
        used.for_each(Vec::clear);
        self.top = 0;
        self.pending.copy_from_slice(&self.initial);
        self.effort += network.facts as u64 / 16 + network.rules.len() as u64 / 8;
        network.for_each_fact(task, state, |fact| self.add(fact, 0, NONE));
        for &rule in &network.unconditional {
            self.fire(network, rule, 0);
        }
        let mut cost = 0;
        while cost <= self.top && cost <= most as usize {
            let mut place = 0;
            while let Some(&fact) = self.buckets[cost].get(place) {
                place += 1;
                let index = fact as usize;
                if self.of[index] != cost as u32 || self.closed[index] == self.call {
                    continue;
                }
                self.closed[index] = self.call;
                if self.targets[index] {
                    self.reached.push(fact);
                    if self.reached.len() >= targets {
                        return;
                    }
                }
                let uses = network.uses(fact);
                self.effort += uses.len() as u64;
                for &rule in uses {
                    let pending = &mut self.pending[rule as usize];
                    pending.open -= 1;
                    match self.kind {
                        Kind::Additive => {
                            pending.so_far = pending.so_far.saturating_add(cost as u32);
                        }
                        Kind::Moments => pending.so_far = cost as u32,
                    }
                    if pending.open == 0 {
                        let needs = pending.so_far;
                        self.fire(network, rule, needs);
                    }
                }
            }
            cost += 1;
        }
    }

    fn fire(&mut self, network: &Network, rule: u32, needs: u32) {
        let entry = network.rules[rule as usize];
        let cost = match self.kind {
            Kind::Additive => needs.saturating_add(entry.cost).min(MOST),
            Kind::Moments => match entry.next(needs, network.phases) {
                moment if moment > MOST => return,
                moment => moment,
            },
        };
        self.add(entry.adds, cost, rule);
    }

    fn add(&mut self, fact: FactId, cost: u32, rule: u32) {
        let of = &mut self.of[fact as usize];
        if cost >= *of {
            return;
        }
        *of = cost;
        self.supporter[fact as usize] = rule;
        self.top = self.top.max(cost as usize);
        if cost as usize >= self.buckets.len() {
            self.buckets.resize_with(cost as usize + 1, Vec::new);
        }
        self.buckets[cost as usize].push(fact);
    }

    /// The number of operators in a relaxed plan for a fact, which is made of the cheapest rules.
    pub(super) fn plan(&mut self, network: &Network, fact: FactId) -> u32 {
        self.plans += 1;
        self.open.clear();
        self.open.push(fact);
        self.operators.clear();
        self.helpful.clear();
        while let Some(fact) = self.open.pop() {
            let index = fact as usize;
            let rule = self.supporter[index];
            let is_open = self.of[index] != NEVER && rule != NONE;
            if !is_open || std::mem::replace(&mut self.planned[index], self.plans) == self.plans {
                continue;
            }
            let needs = network.needs_of(rule);
            if let Some(operator) = network.operator(rule) {
                let needs = needs.iter().map(|&need| self.of[need as usize]);
                let dearest = needs.max().unwrap_or(0);
                self.operators.push((operator, dearest));
                if dearest == 0 {
                    self.helpful.push(operator);
                }
            }
            self.open.extend(needs);
        }
        self.operators.sort_unstable();
        self.operators.dedup();
        self.operators.len() as u32
    }
}
