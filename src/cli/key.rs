//! The key of an objective that bounds are about.

use super::args::ObjectiveName;
use crate::report::cost::{Amount, cost, scaled};
use crate::search::Value;
use crate::task::{Metric, PackedTask};

/// The first key of an objective: what bounds are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    Makespan,
    Labels,
    Cost,
}

impl Key {
    /// The first key that a search for `objective` minimises.
    pub(super) fn first(task: &PackedTask, objective: ObjectiveName) -> Self {
        match objective {
            ObjectiveName::Declared if task.metric == Metric::Makespan => Self::Makespan,
            ObjectiveName::Declared | ObjectiveName::Cost => Self::Cost,
            ObjectiveName::Makespan => Self::Makespan,
            ObjectiveName::Labels => Self::Labels,
        }
    }

    /// Returns whether the greatest is best.
    pub(super) fn is_maximised(self, task: &PackedTask) -> bool {
        self == Self::Cost && task.metric == Metric::NegatedCost
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Makespan => "makespan",
            Self::Labels => "actions",
            Self::Cost => "cost",
        }
    }

    pub(super) fn of(self, task: &PackedTask, value: Value) -> Amount {
        match self {
            Self::Makespan => scaled(value.makespan, 1),
            Self::Labels => scaled(value.labels, 1),
            Self::Cost => cost(task, value),
        }
    }
}
