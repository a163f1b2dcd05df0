//! What a search answers.

use super::attempt::Attempt;
use super::dag::PlanDag;
use super::options::StopReason;
use crate::task::{LogEntry, OperatorId};

/// The value of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Value {
    /// The sum of its costs, in units of 1 / [`Task::cost_scale`](crate::task::Task::cost_scale).
    pub cost: i64,
    /// Ticks until it ends.
    pub makespan: u32,
    /// Labels recorded.
    pub labels: u32,
}

/// One agent's choice in a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanStep {
    /// Ticks that have passed before it: 0 for the first step.
    pub tick: u32,
    /// Who chooses; index into [`Task::agents`](crate::task::Task::agents).
    pub agent: u16,
    /// What is chosen.
    pub operator: OperatorId,
    /// The labels that were recorded on this step and belong to this agent, in order. Labels of
    /// agents that do not choose on this step are with the step's last choice.
    pub labels: Vec<LogEntry>,
}

/// A plan and its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// What it is worth.
    pub value: Value,
    /// The choices, by tick, then in the order in which agents act.
    pub steps: Vec<PlanStep>,
}

/// The answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The plan is optimal: no plan has a lesser value in the order of the objective.
    Solved(Plan),
    /// No plan exists: all that can be reached was explored.
    Unsolvable,
    /// Stopped before the proof.
    Bounded {
        /// No plan is better than this; keys outside the objective are 0. `None` where nothing is
        /// known, as when a total is maximised.
        lower: Option<Value>,
        /// The best plan met, if any.
        upper: Option<Plan>,
        /// What stopped the search.
        reason: StopReason,
    },
}

impl Outcome {
    /// The plan, optimal or not.
    pub const fn plan(&self) -> Option<&Plan> {
        match self {
            Self::Solved(plan) => Some(plan),
            Self::Unsolvable => None,
            Self::Bounded { upper, .. } => upper.as_ref(),
        }
    }
}

/// How much work it was.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Nodes (a state in which one agent is about to choose) whose successors were generated.
    pub expanded: u64,
    /// Successors generated, duplicates and dead ends included.
    pub generated: u64,
    /// Heuristic values computed: none in blind search.
    pub evaluated: u64,
    /// Nodes stored.
    pub states: u64,
    /// `peak_bytes` for each state stored.
    pub bytes_per_state: f64,
    /// Most bytes that states, tables and side arrays have taken.
    pub peak_bytes: usize,
}

/// Where a running search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Nodes stored.
    pub states: u64,
    /// Proven so far; see [`Outcome::Bounded`].
    pub lower: Option<Value>,
}

/// Everything a search found.
#[derive(Clone, Debug)]
pub struct SearchResult {
    /// The answer.
    pub outcome: Outcome,
    /// How much work it was.
    pub statistics: Statistics,
    /// What was tried, in order; empty where the start answers by itself. The last one ended the
    /// search.
    pub attempts: Vec<Attempt>,
    /// All optimal plans, if they were asked for and [`Outcome::Solved`] was reached.
    pub dag: Option<PlanDag>,
    /// What stopped the collection of all optimal plans after one was proven.
    pub dag_stopped: Option<StopReason>,
}
