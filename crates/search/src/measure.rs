//! The measure of an objective: the keys of the lexicographic vector that is minimised.
//!
//! A node is reached with `(first key, makespan, labels)`. Every key is additive and the last two
//! never fall; nodes are finished in the order of (first key, makespan, half-step), which is a
//! topological order of optimal prefixes as long as the first key never falls either. Where it may
//! fall, as when a total is maximised, a task with a clock in its state is searched tick by tick
//! instead: a state is then met at one tick only.

use crate::options::Objective;
use crate::plans::plan::Value;
use crate::space::successor::Successor;
use brigade_task::cost_range;
use brigade_task::{Metric, Task};

/// The first key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum First {
    Nothing,
    Cost,
    NegatedCost,
    Labels,
}

/// The measure of steps, and the order of nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measure {
    first: First,
    counts_labels: bool,
    /// True if nodes are finished in order of ticks instead of the first key.
    pub by_tick: bool,
}

impl Objective {
    /// The keys of a value that this objective compares, most important first: the lesser vector is
    /// better.
    pub const fn keys(self, task: &Task, value: Value) -> [i64; 3] {
        Measure::new(task, self).keys(value)
    }
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

    /// Returns whether the number of labels is the last key.
    pub(super) const fn counts_labels(self) -> bool {
        self.counts_labels
    }

    /// Returns whether the makespan is the most important key.
    pub(super) const fn is_by_makespan(self) -> bool {
        matches!(self.first, First::Nothing)
    }

    /// Returns whether no step of the task can lower the first key.
    pub(super) fn is_monotone(self, task: &Task) -> bool {
        match self.first {
            First::Nothing | First::Labels => true,
            First::Cost => cost_range::of_task(task).is_some_and(|(least, _)| least >= 0),
            First::NegatedCost => cost_range::of_task(task).is_some_and(|(_, most)| most <= 0),
        }
    }

    /// The least that something whose cost lies in a range adds to the first key; `None` where that
    /// is not made of costs.
    pub(super) const fn least_cost(self, (least, most): (i64, i64)) -> Option<i64> {
        match self.first {
            First::Cost => Some(least),
            First::NegatedCost => Some(most.saturating_neg()),
            First::Nothing | First::Labels => None,
        }
    }

    /// The amount that a step adds to the first key.
    pub(super) const fn first(self, step: &Successor) -> i64 {
        match self.first {
            First::Nothing => 0,
            First::Cost => step.cost,
            First::NegatedCost => step.cost.saturating_neg(),
            First::Labels => step.log.len() as i64,
        }
    }

    /// The amount that a step adds to the last key.
    pub(super) const fn labels(self, step: &Successor) -> u32 {
        if self.counts_labels {
            step.log.len() as u32
        } else {
            0
        }
    }

    /// The amounts that a step adds to the first and the last key that costs at least `cost`
    /// (negated where the greatest is best) and records at least `labels`.
    pub(super) const fn least(self, cost: i64, labels: u32) -> (i64, u32) {
        let first = match self.first {
            First::Nothing => 0,
            First::Cost | First::NegatedCost => cost,
            First::Labels => labels as i64,
        };
        (first, if self.counts_labels { labels } else { 0 })
    }

    /// Key and labels with one step more.
    pub(super) const fn add(self, (key, labels): (Key, u32), step: &Successor) -> (Key, u32) {
        let key = (
            key.0.saturating_add(self.first(step)),
            key.1 + step.ticked as u32,
        );
        (key, labels.saturating_add(self.labels(step)))
    }

    /// The priority of a node: nodes of lesser priority are finished first.
    pub(super) const fn order(self, key: Key) -> Key {
        if self.by_tick { (0, key.1) } else { key }
    }

    /// The value with these keys; keys outside the objective are 0.
    pub(super) const fn value(self, key: Key, labels: u32) -> Value {
        let mut value = Value {
            cost: 0,
            makespan: key.1,
            labels,
        };
        match self.first {
            First::Nothing => {}
            First::Cost => value.cost = key.0,
            First::NegatedCost => value.cost = key.0.saturating_neg(),
            First::Labels => value.labels = key.0 as u32,
        }
        value
    }

    /// The value with 0 for the keys outside the objective.
    pub(super) const fn restrict(self, value: Value) -> Value {
        Value {
            cost: match self.first {
                First::Nothing | First::Labels => 0,
                First::Cost | First::NegatedCost => value.cost,
            },
            makespan: value.makespan,
            labels: if self.counts_labels || matches!(self.first, First::Labels) {
                value.labels
            } else {
                0
            },
        }
    }

    /// The keys of a value, most important first; all are minimised.
    pub(super) const fn keys(self, value: Value) -> [i64; 3] {
        let labels = if self.counts_labels {
            value.labels as i64
        } else {
            0
        };
        let first = match self.first {
            First::Nothing => 0,
            First::Cost => value.cost,
            First::NegatedCost => value.cost.saturating_neg(),
            First::Labels => value.labels as i64,
        };
        [first, value.makespan as i64, labels]
    }
}
