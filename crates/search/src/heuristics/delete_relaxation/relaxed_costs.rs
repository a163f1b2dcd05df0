//! The cost of each fact in the delete relaxation, from a state, with a cheapest adder of it: the
//! sum over what is needed (h-add: B. Bonet and H. Geffner, "Planning as Heuristic Search",
//! Artificial Intelligence 129, 2001), or the first moment at which it may hold. The adders make up
//! relaxed plans (J. Hoffmann and B. Nebel, "The FF Planning System", JAIR 14, 2001).

use super::adders::NONE;
use super::cost_queue::CostQueue;
use super::relaxation::Relaxation;
use brigade_task::{OperatorId, PackedTask, State};

/// The cost of a fact that is not reached.
pub(crate) const NEVER: u32 = u32::MAX;

/// The greatest cost; sums are cut off there, and facts that come later are taken to be out of
/// reach.
const MOST: u32 = 1 << 30;

/// A kind of cost.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// The weights of the adders, each paid wherever it is used.
    Additive(Vec<u32>),
    /// Moments: phases of ticks.
    Moments,
}

/// An adder while costs are computed.
#[derive(Clone, Copy, Debug)]
struct Pending {
    /// The number of its needs that are not reached.
    missing: u32,
    /// The cost of the others.
    needs: u32,
}

/// The costs of facts from the state that was asked for last, and relaxed plans.
#[derive(Clone, Debug)]
pub(crate) struct RelaxedCosts {
    kind: Kind,
    /// For each fact its cost, or [`NEVER`].
    values: Vec<u32>,
    /// For each fact the adder that adds it at that cost, or [`NONE`].
    supporters: Vec<u32>,
    untouched: Vec<Pending>,
    adders: Vec<Pending>,
    queue: CostQueue,
    /// Facts for which it is enough to know their cost.
    is_target: Vec<bool>,
    /// The targets that were reached, cheapest first.
    reached: Vec<u32>,
    /// For each fact the number of the last relaxed plan that contains it.
    planned: Vec<u32>,
    /// For each operator the number of the last relaxed plan that starts with it.
    starts: Vec<u32>,
    plans: u32,
    open: Vec<u32>,
    /// The operators of the last plan, each with the cost of what it needs: one that is needed
    /// several times counts so often.
    chosen: Vec<(OperatorId, u32)>,
    /// The number of adders looked at so far.
    effort: u64,
}

impl RelaxedCosts {
    /// Costs of which the cheapest of some targets matter.
    pub(crate) fn new(
        task: &PackedTask,
        relaxation: &Relaxation,
        kind: Kind,
        targets: impl Iterator<Item = u32>,
    ) -> Self {
        let facts = relaxation.facts as usize;
        let untouched = (0..relaxation.adders()).map(|adder| Pending {
            missing: relaxation.needs.of(adder).len() as u32,
            needs: 0,
        });
        let untouched: Vec<Pending> = untouched.collect();
        let mut is_target = vec![false; facts];
        for target in targets {
            is_target[target as usize] = true;
        }
        Self {
            kind,
            values: vec![NEVER; facts],
            supporters: vec![NONE; facts],
            adders: untouched.clone(),
            untouched,
            queue: CostQueue::default(),
            is_target,
            reached: Vec::new(),
            planned: vec![0; facts],
            starts: vec![0; task.operators.len()],
            plans: 0,
            open: Vec::new(),
            chosen: Vec::new(),
            effort: 0,
        }
    }

    /// The number of adders looked at by now.
    pub(crate) const fn effort(&self) -> u64 {
        self.effort
    }

    /// Bytes held.
    pub(crate) fn bytes(&self) -> usize {
        2 * size_of_val(&*self.untouched) + 4 * size_of_val(&*self.values)
    }

    /// The cost of a fact, or [`NEVER`].
    pub(crate) fn of(&self, fact: u32) -> u32 {
        self.values[fact as usize]
    }

    /// The targets that were reached, cheapest first.
    pub(crate) fn reached(&self) -> &[u32] {
        &self.reached
    }

    /// Computes costs from a state, cheapest facts first, until so many targets are reached or a
    /// cost exceeds `most`.
    pub(crate) fn compute(
        &mut self,
        task: &PackedTask,
        relaxation: &Relaxation,
        state: &State,
        targets: usize,
        most: u32,
    ) {
        self.compute_with(
            task,
            relaxation,
            (state, &[]),
            (targets, targets),
            most,
            |_, _| true,
        );
    }

    /// Computes costs from a state and some facts, cheapest facts first, until so many targets are reached for which
    /// `counts` is true at their cost, or so many in all, or a cost exceeds `most`.
    pub(crate) fn compute_with(
        &mut self,
        task: &PackedTask,
        relaxation: &Relaxation,
        (state, facts): (&State, &[u32]),
        (counted, all): (usize, usize),
        most: u32,
        counts: impl Fn(u32, u32) -> bool,
    ) {
        let mut count = 0;
        self.values.fill(NEVER);
        self.reached.clear();
        self.adders.copy_from_slice(&self.untouched);
        self.effort += u64::from(relaxation.facts) / 16 + u64::from(relaxation.adders()) / 8;
        relaxation.for_each_fact(task, state, |fact| self.offer(fact, 0, NONE));
        for &fact in facts {
            self.offer(fact, 0, NONE);
        }
        for &adder in &relaxation.needless {
            self.fire(relaxation, adder);
        }
        while let Some((cost, fact)) = self.queue.pop() {
            if cost > most {
                break;
            }
            // An entry of the queue is passed over if the fact has become cheaper since.
            if self.values[fact as usize] < cost {
                continue;
            }
            if self.is_target[fact as usize] {
                self.reached.push(fact);
                count += usize::from(counts(fact, cost));
                if count >= counted || self.reached.len() >= all {
                    break;
                }
            }
            let followed = relaxation.needed_by.of(fact);
            self.effort += followed.len() as u64;
            for &adder in followed {
                let pending = &mut self.adders[adder as usize];
                pending.missing -= 1;
                pending.needs = match self.kind {
                    Kind::Additive(_) => pending.needs.saturating_add(cost),
                    Kind::Moments => cost,
                };
                if pending.missing == 0 {
                    self.fire(relaxation, adder);
                }
            }
        }
        self.queue.clear();
    }

    /// Offers the facts of an adder at the cost of the adder.
    fn fire(&mut self, relaxation: &Relaxation, adder: u32) {
        let needs = self.adders[adder as usize].needs;
        let cost = match &self.kind {
            Kind::Additive(weights) => needs.saturating_add(weights[adder as usize]).min(MOST),
            Kind::Moments => {
                match relaxation.times[adder as usize].next(needs, relaxation.phases) {
                    moment if moment > MOST => return,
                    moment => moment,
                }
            }
        };
        for &fact in relaxation.adds.of(adder) {
            self.offer(fact, cost, adder);
        }
    }

    fn offer(&mut self, fact: u32, cost: u32, adder: u32) {
        let value = &mut self.values[fact as usize];
        if cost < *value {
            *value = cost;
            self.supporters[fact as usize] = adder;
            self.queue.push(cost, fact);
        }
    }

    /// Makes a relaxed plan for a fact of the cheapest adders, and returns its operators, each with
    /// the cost of what it needs: one that is needed several times counts so often.
    pub(crate) fn plan(&mut self, relaxation: &Relaxation, fact: u32) -> &[(OperatorId, u32)] {
        self.plans += 1;
        self.chosen.clear();
        self.open.clear();
        self.open.push(fact);
        while let Some(fact) = self.open.pop() {
            let index = fact as usize;
            let adder = self.supporters[index];
            let is_open = self.values[index] != NEVER && adder != NONE;
            if !is_open || std::mem::replace(&mut self.planned[index], self.plans) == self.plans {
                continue;
            }
            if let Some(operator) = relaxation.operator(adder) {
                let needs = self.adders[adder as usize].needs;
                self.chosen.push((operator, needs));
                if needs == 0 {
                    self.starts[operator.index()] = self.plans;
                }
            }
            self.open.extend(relaxation.needs.of(adder));
        }
        self.chosen.sort_unstable();
        self.chosen.dedup();
        &self.chosen
    }

    /// True if the last plan starts with an operator.
    pub(crate) fn starts_with(&self, operator: OperatorId) -> bool {
        self.starts[operator.index()] == self.plans
    }

    /// The operators with which the last plan starts.
    pub(crate) fn starts(&self) -> impl Iterator<Item = OperatorId> {
        let first = self.chosen.iter().filter(|(_, needs)| *needs == 0);
        first.map(|(operator, _)| *operator)
    }

    /// True for a fact that the last plan brings about.
    pub(crate) fn is_planned(&self, fact: u32) -> bool {
        self.planned[fact as usize] == self.plans
    }
}
