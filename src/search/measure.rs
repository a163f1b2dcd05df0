//! How an objective measures a step: the keys of the lexicographic vector that is minimised.
//!
//! A node is reached with `(first key, makespan, labels)`. Every key is additive and the last two
//! never fall; nodes are finished in the order of (first key, makespan, half-step), which is a
//! topological order of optimal prefixes as long as the first key never falls either. Where it may
//! fall, as when a total is maximised, a task with a clock in its state is searched tick by tick
//! instead: a state is then met at one tick only.

use super::cost_range;
use super::expand::Successor;
use super::options::Objective;
use super::result::Value;
use crate::task::{Metric, Task};

/// The first key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Nothing,
    Cost,
    NegatedCost,
    Labels,
}

/// How steps are measured and nodes ordered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    first: First,
    counts_labels: bool,
    /// Whether nodes are finished in order of ticks instead of the first key.
    pub by_tick: bool,
}

/// The first key and the makespan.
pub(super) type Key = (i64, u32);

impl Measure {
    pub(super) const fn new(task: &Task, objective: Objective) -> Self {
        let cost = match task.metric {
            Metric::NegatedCost => First::NegatedCost,
            Metric::Cost | Metric::Makespan => First::Cost,
        };
        let (first, counts_labels) = match objective {
            Objective::Declared if matches!(task.metric, Metric::Makespan) => {
                (First::Nothing, true)
            }
            Objective::Declared => (cost, true),
            Objective::Makespan => (First::Nothing, false),
            Objective::Labels => (First::Labels, false),
            Objective::Cost => (cost, false),
        };
        Self {
            first,
            counts_labels,
            by_tick: false,
        }
    }

    /// Whether no step of the task can lower the first key.
    pub(super) fn is_monotone(self, task: &Task) -> bool {
        match self.first {
            First::Nothing | First::Labels => true,
            First::Cost => cost_range::of_task(task).0 >= 0,
            First::NegatedCost => cost_range::of_task(task).1 <= 0,
        }
    }

    /// What a step adds to the first key.
    pub(super) const fn first(self, step: &Successor) -> i64 {
        match self.first {
            First::Nothing => 0,
            First::Cost => step.cost,
            First::NegatedCost => step.cost.saturating_neg(),
            First::Labels => step.log.len() as i64,
        }
    }

    /// What a step adds to the last key.
    pub(super) const fn labels(self, step: &Successor) -> u32 {
        if self.counts_labels {
            step.log.len() as u32
        } else {
            0
        }
    }

    /// The priority of a node: nodes of lesser priority are finished first.
    pub(super) const fn order(self, key: Key) -> Key {
        if self.by_tick { (0, key.1) } else { key }
    }

    /// What is proven when all nodes of lesser priority are finished: a plan that is not known yet
    /// has one tick more at least.
    pub(super) const fn lower(self, order: Key) -> Option<Value> {
        if self.by_tick && !matches!(self.first, First::Nothing) {
            return None;
        }
        let mut value = Value {
            cost: 0,
            makespan: order.1.saturating_add(1),
            labels: 0,
        };
        match self.first {
            First::Nothing => {}
            First::Cost => value.cost = order.0,
            First::NegatedCost => value.cost = order.0.saturating_neg(),
            First::Labels => value.labels = order.0 as u32,
        }
        Some(value)
    }
}
