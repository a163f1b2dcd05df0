//! Plans as text, and what becomes of them when they are played.

use serde::{Deserialize, Serialize};

use brigade::search::{Plan, PlanStep};
use brigade::task::effect::Record;
use brigade::task::step::Status;
use brigade::task::{OperatorId, PackedTask};

/// The result of replaying a plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replay {
    /// The goal holds after this many steps, for the first time.
    Reached(u32),
    /// This step, counted from 1, cannot be taken.
    Refused(u32),
    /// The goal does not hold at its end.
    Missed {},
}

/// The steps of a plan of a task in which one agent chooses at a time.
pub fn texts(task: &PackedTask, plan: &Plan) -> Vec<String> {
    let steps = plan.steps.iter();
    steps.map(|step| text(task, step.operator)).collect()
}

fn text(task: &PackedTask, operator: OperatorId) -> String {
    let operator = task.operator(operator);
    let agent = &task.agents[usize::from(operator.agent)].name;
    if agent.is_empty() {
        operator.name.clone()
    } else {
        format!("{agent}: {}", operator.name)
    }
}

/// Plays a plan from the start until the goal holds, and returns the steps that were taken.
pub fn play(task: &PackedTask, plan: &[String]) -> (Replay, Vec<PlanStep>) {
    let mut state = task.initial.clone();
    let mut record = Record::default();
    let mut steps = Vec::with_capacity(plan.len());
    if task.status(&state) == Status::Goal {
        return (Replay::Reached(0), steps);
    }
    for (tick, wanted) in (0..).zip(plan) {
        let agent = task.mover(&state);
        let mut choices = task.applicable(&state, agent);
        let found = choices.find(|&operator| text(task, operator) == *wanted);
        drop(choices);
        record.clear();
        let status = found.and_then(|operator| {
            let joint = [operator];
            task.step(&mut state, &joint, &mut record).ok()
        });
        let (Some(operator), Some(status)) = (found, status) else {
            return (Replay::Refused(tick + 1), steps);
        };
        steps.push(PlanStep {
            tick,
            agent: agent as u16,
            operator,
            labels: record.log.clone(),
        });
        match status {
            Status::Running => {}
            Status::Goal => return (Replay::Reached(tick + 1), steps),
            Status::Failed | Status::Ended => return (Replay::Missed {}, steps),
        }
    }
    (Replay::Missed {}, steps)
}
