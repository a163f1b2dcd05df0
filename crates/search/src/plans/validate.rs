//! Checks a plan by replaying it, independently of the search that found it.
//!
//! It tests each precondition in the state that has been reached, as a referee does, and plays
//! whole timesteps. Of the search it shares the form of a plan only; with the expander, the
//! definition of what an effect and a tick do, which the task itself is.

use super::plan::{Plan, PlanStep, Value};
use brigade_task::effect::Record;
use brigade_task::step::Status;
use brigade_task::{LogEntry, OperatorId, PackedTask, State, TurnMode};

/// A reason why a plan is invalid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Invalid {
    /// A step is out of order, or one is missing.
    #[error("choice {index} of the plan: expected one of agent {agent} at tick {tick}")]
    Misplaced {
        /// Position in the plan.
        index: usize,
        /// The tick that was due.
        tick: u32,
        /// The agent that was due.
        agent: u16,
    },
    /// The plan ends in the middle of a step.
    #[error("the plan ends before agent {agent} has chosen at tick {tick}")]
    Unfinished {
        /// The last tick.
        tick: u32,
        /// The agent that was due.
        agent: u16,
    },
    /// The operator does not exist, or is another agent's.
    #[error("choice {index} of the plan: {operator:?} is not an operator of the agent")]
    Foreign {
        /// Position in the plan.
        index: usize,
        /// The operator that was chosen.
        operator: OperatorId,
    },
    /// A precondition does not hold.
    #[error("at tick {tick}, operator {operator:?} of agent {agent} is not applicable")]
    Inapplicable {
        /// Its tick.
        tick: u32,
        /// Whose choice it was.
        agent: u16,
        /// The operator that was chosen.
        operator: OperatorId,
    },
    /// The labels of a step are not those that the task records.
    #[error("at tick {tick}, the labels differ from those recorded")]
    Labels {
        /// Its tick.
        tick: u32,
    },
    /// The plan goes on after the end.
    #[error("at tick {tick} the plan goes on, but it has ended: {status:?}")]
    Ended {
        /// The tick.
        tick: u32,
        /// The status at the end.
        status: Status,
    },
    /// The plan is not worth what is said of it.
    #[error("the plan is worth {found:?}, not {claimed:?}")]
    Value {
        /// The value that the plan claims.
        claimed: Value,
        /// The value that it has.
        found: Value,
    },
    /// The plan does not reach its end.
    #[error("the plan does not reach the goal: {status:?} after its last step")]
    NotReached {
        /// The status at the end.
        status: Status,
    },
}

/// Replays a plan from the task's initial state, and checks that it reaches its end and is worth
/// what it says.
///
/// # Errors
///
/// As of [`validate`]; and if its value is another than it claims.
pub fn verify(task: &PackedTask, plan: &Plan) -> Result<(), Invalid> {
    let found = validate(task, &plan.steps)?;
    let claimed = plan.value;
    if found == claimed {
        Ok(())
    } else {
        Err(Invalid::Value { claimed, found })
    }
}

/// Replays a plan from the task's initial state and returns its value.
///
/// The plan must end at the first state in which the goal holds; where the task has no goal, where
/// it ends otherwise, or at its horizon.
///
/// # Errors
///
/// [`Invalid`] names the first choice that is misplaced, of another agent or inapplicable, or says that the plan does
/// not reach its end.
pub fn validate(task: &PackedTask, plan: &[PlanStep]) -> Result<Value, Invalid> {
    validate_from(task, &task.initial, plan)
}

/// The same from any state at the start of a timestep.
pub(crate) fn validate_from(
    task: &PackedTask,
    start: &State,
    plan: &[PlanStep],
) -> Result<Value, Invalid> {
    let per_step = task.choices_per_step();
    if let (0, Some(step)) = (per_step, plan.first()) {
        let (index, operator) = (0, step.operator);
        return Err(Invalid::Foreign { index, operator });
    }
    let mut state = start.to_owned();
    let mut record = Record::default();
    let mut status = task.status(&state);
    let mut value = Value::default();
    let mut index = 0;
    while index < plan.len() {
        let tick = value.makespan;
        if status != Status::Running {
            return Err(Invalid::Ended { tick, status });
        }
        let first = match task.turns {
            TurnMode::Alternate => task.mover(&state),
            TurnMode::Sequential | TurnMode::Simultaneous => 0,
        };
        let mut joint = Vec::with_capacity(per_step);
        let mut labels: Vec<LogEntry> = Vec::new();
        for agent in (first..first + per_step).map(|agent| agent as u16) {
            let step = plan.get(index).ok_or(Invalid::Unfinished { tick, agent })?;
            if (step.tick, step.agent) != (tick, agent) {
                return Err(Invalid::Misplaced { index, tick, agent });
            }
            let operator = step.operator;
            let own = &task.agents[agent as usize].operators;
            if own.binary_search(&operator).is_err() {
                return Err(Invalid::Foreign { index, operator });
            }
            joint.push(operator);
            labels.extend(&step.labels);
            index += 1;
        }
        record.clear();
        status = task
            .step(&mut state, &joint, &mut record)
            .map_err(|refused| Invalid::Inapplicable {
                tick,
                agent: (first + refused.agent) as u16,
                operator: refused.operator,
            })?;
        value.cost = value.cost.saturating_add(record.cost);
        value.makespan += 1;
        value.labels += record.log.len() as u32;
        // Counted here, whatever the task's own clock says.
        let is_over = task.horizon.is_some_and(|most| value.makespan >= most);
        if status == Status::Running && is_over {
            status = Status::Ended;
        }
        // A plan files labels by agent; within one agent their order counts.
        labels.sort_by_key(|entry| entry.agent);
        record.log.sort_by_key(|entry| entry.agent);
        if labels != record.log {
            return Err(Invalid::Labels { tick });
        }
    }
    match status {
        Status::Goal => Ok(value),
        Status::Ended if task.goal.is_none() => Ok(value),
        _ => Err(Invalid::NotReached { status }),
    }
}
