//! The rank of a state in a beam: two estimates of the cost-to-go, from the delete relaxation.

use super::costs::{Costs, Kind, NEVER};
use super::network::{Network, OPERATOR};
use brigade_task::rules::{FactId, Rules};
use brigade_task::{OperatorId, PackedTask, State};

/// The number of gains that count, the nearest first.
const GAINS: usize = 2;
/// The weight of each, relative to the one before.
const FURTHER: f64 = 0.5;
/// The operators or ticks over which the worth of a gain falls to 1/e.
const DECAY: f64 = 20.0;
/// The weight of the additive cost beside the ticks.
const ADDITIVE: f64 = 0.2;

/// An estimate of the cost-to-go by two measures; less is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rank {
    /// By the operators of a relaxed plan.
    pub(super) by_operators: f64,
    /// By the tick at which the relaxed goal is reached.
    pub(super) by_ticks: f64,
}

/// Ranks states.
pub(super) struct Ranker<'t> {
    task: &'t PackedTask,
    network: Network,
    additive: Costs,
    moments: Costs,
    /// For each fact what the objective gains where it is added, if that is known.
    gains: Vec<f64>,
    has_gains: bool,
    /// Operators with which the last state's relaxed plans start.
    pub(super) helpful: Vec<OperatorId>,
    pub(super) evaluated: u64,
}

impl<'t> Ranker<'t> {
    /// `sign` is 1 where the greatest cost is best, else -1.
    pub(super) fn new(task: &'t PackedTask, rules: &Rules, sign: f64) -> Self {
        let network = Network::new(task, rules);
        let mut additive = Costs::new(&network, Kind::Additive);
        let mut moments = Costs::new(&network, Kind::Moments);
        let mut gains = vec![0.0; network.facts];
        let mut has_gains = false;
        if let Some(goal) = network.goal {
            additive.targets[goal as usize] = true;
            moments.targets[goal as usize] = true;
        } else {
            for charge in &rules.charges {
                let gain = sign * charge.amount as f64;
                if gain > 0.0 {
                    gains[charge.fact as usize] = gain;
                    additive.targets[charge.fact as usize] = true;
                    moments.targets[charge.fact as usize] = true;
                    has_gains = true;
                }
            }
        }
        Self {
            task,
            network,
            additive,
            moments,
            gains,
            has_gains,
            helpful: Vec::new(),
            evaluated: 0,
        }
    }

    /// The number of rules looked at so far.
    pub(super) const fn effort(&self) -> u64 {
        self.additive.effort + self.moments.effort
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.network.bytes() + self.additive.bytes() + self.moments.bytes()
    }

    /// Ranks a state with so many ticks left. `None` where the goal cannot be reached in them.
    pub(super) fn rank(&mut self, state: &State, left: u32) -> Option<Rank> {
        self.evaluated += 1;
        self.helpful.clear();
        match self.network.goal {
            Some(goal) => self.rank_by_goal(state, left, goal),
            None if self.has_gains => Some(self.rank_by_gains(state, left)),
            None => Some(Rank {
                by_operators: 0.0,
                by_ticks: 0.0,
            }),
        }
    }

    fn rank_by_goal(&mut self, state: &State, left: u32, goal: FactId) -> Option<Rank> {
        let (network, task) = (&self.network, self.task);
        let most = left.saturating_mul(network.phases);
        self.moments.compute(network, task, state, 1, most);
        let moment = self.moments.of[goal as usize];
        if moment == NEVER || moment > most {
            return None;
        }
        self.additive.compute(network, task, state, 1, NEVER - 1);
        let additive = self.additive.of[goal as usize];
        let operators = self.additive.plan(network, goal);
        self.moments.plan(network, goal);
        self.helpful.extend(&self.additive.helpful);
        self.helpful.extend(&self.moments.helpful);
        let additive = f64::from(additive) / f64::from(OPERATOR);
        Some(Rank {
            by_operators: operators.into(),
            by_ticks: f64::from(network.ticks(moment)) + ADDITIVE * additive,
        })
    }

    /// The nearest gains, discounted by how far they are.
    fn rank_by_gains(&mut self, state: &State, left: u32) -> Rank {
        let (network, task) = (&self.network, self.task);
        let most = left.saturating_mul(network.phases);
        self.additive
            .compute(network, task, state, GAINS, NEVER - 1);
        self.moments.compute(network, task, state, GAINS, most);
        let mut near: Vec<(f64, FactId)> = Vec::with_capacity(2 * GAINS);
        let reached = self.additive.reached.iter().chain(&self.moments.reached);
        let mut reached: Vec<FactId> = reached.copied().collect();
        reached.sort_unstable();
        reached.dedup();
        for fact in reached {
            let moment = self.moments.of[fact as usize];
            let additive = self.additive.of[fact as usize];
            if moment == NEVER || moment > most || additive == NEVER {
                continue;
            }
            let work = f64::from(additive) / f64::from(OPERATOR) * ADDITIVE;
            near.push((work + f64::from(network.ticks(moment)), fact));
        }
        near.sort_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let mut rank = Rank {
            by_operators: 0.0,
            by_ticks: 0.0,
        };
        let mut share = 1.0;
        for (ticks, fact) in near.into_iter().take(GAINS) {
            let gain = self.gains[fact as usize] * share;
            let operators = self.additive.plan(network, fact);
            self.helpful.extend(&self.additive.helpful);
            self.moments.plan(network, fact);
            self.helpful.extend(&self.moments.helpful);
            rank.by_operators -= gain * discount(operators.into());
            rank.by_ticks -= gain * discount(ticks);
            share *= FURTHER;
        }
        rank
    }
}

/// The discount of a gain at a distance: nearly exponential, by sums and products alone, so that it is the same
/// on all machines.
fn discount(distance: f64) -> f64 {
    let mut power = 1.0 + distance / (64.0 * DECAY);
    for _ in 0..6 {
        power *= power;
    }
    1.0 / power
}
