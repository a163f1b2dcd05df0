//! Rules, and the rules of a task.

use super::numbering::{FactId, Numbering};
use crate::OperatorId;

/// The moment at which a rule fires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// As soon as its needs hold: parts of conditions, axioms.
    AtOnce,
    /// In this phase of a tick.
    Phase(u32),
}

/// Adds a fact where others hold.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Rule {
    /// The fact that is added.
    pub adds: FactId,
    /// The facts that have to hold, ascending.
    pub needs: Box<[FactId]>,
    /// When it fires.
    pub moment: Moment,
    /// The operator of whose effect it is a part. All other rules fire by themselves.
    pub operator: Option<OperatorId>,
}

/// A change of the cost, as an auxiliary fact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Charge {
    /// Added where the cost changes so.
    pub fact: FactId,
    /// The amount, in units of 1 / [`Task::cost_scale`](crate::Task::cost_scale); never 0.
    pub amount: i64,
}

/// The rules of a task.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The numbers of facts.
    pub numbering: Numbering,
    /// All rules, by the facts that they add.
    pub all: Vec<Rule>,
    /// The number of phases in a tick, those of the agents' choices included.
    pub phases: u32,
    /// The number of phases in which agents choose and their operators apply: the first ones.
    pub choices: u32,
    /// For each phase whether what is added in it may be needed in the same: its parts have no order
    /// that is known beforehand.
    pub loose: Vec<bool>,
    /// Holds where the goal does; `None` for a task without one.
    pub goal: Option<FactId>,
    /// The changes of the cost, but for those that depend on too many values to be flattened.
    pub charges: Vec<Charge>,
}
