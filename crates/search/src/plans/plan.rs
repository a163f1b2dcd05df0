//! A plan, its steps and its value.

use brigade_task::effect::Record;
use brigade_task::totals::{Totals, add};
use brigade_task::{LogEntry, OperatorId, PackedTask};

/// The value of a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Value {
    /// The sum of its costs, in units of 1 / [`Task::cost_scale`](brigade_task::Task::cost_scale).
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
    /// The agent that chooses; index into [`Task::agents`](brigade_task::Task::agents).
    pub agent: u16,
    /// The operator that it chooses.
    pub operator: OperatorId,
    /// The labels that were recorded on this step and belong to this agent, in order. Labels of
    /// agents that do not choose on this step are with the step's last choice.
    pub labels: Vec<LogEntry>,
}

/// A plan and its value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// Its value.
    pub value: Value,
    /// The choices, by tick, then in the order in which agents act.
    pub steps: Vec<PlanStep>,
}

impl Plan {
    /// The totals of its task at its end, with their initial values.
    pub fn totals(&self, task: &PackedTask) -> Totals {
        let mut state = task.initial.clone();
        let mut sums = task.initial_totals();
        for timestep in self.steps.chunk_by(|one, next| one.tick == next.tick) {
            let joint: Vec<OperatorId> = timestep.iter().map(|step| step.operator).collect();
            let mut record = Record::default();
            // A plan of the task has no step that is not applicable.
            if task.step(&mut state, &joint, &mut record).is_err() {
                break;
            }
            add(&mut sums, &task.added(&record));
        }
        sums
    }
}
