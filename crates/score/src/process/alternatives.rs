//! Choices that would have been better than those that lost something.

use brigade_play::episode::Log;
use brigade_search::{Control, Start, Value};
use brigade_task::effect::Record;
use brigade_task::{OperatorId, TurnMode};

use super::cost_to_go::CostToGo;
use super::quantity::Quantity;
use super::walk::Walk;
use super::{Process, ProcessError};

/// The most alternatives of a choice that are listed.
const LISTED: usize = 8;

/// An action that an agent might have chosen.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// The ground name of the operator.
    pub action: String,
    /// The cost of the best plan that begins with it, after the choices of the agents before.
    pub value: Quantity,
}

/// The alternatives of each choice that lost something, by timestep and choice, the best first: those from which a better
/// plan leads on. Other choices have none, and so have those that a limit did not leave time for.
///
/// # Errors
///
/// A log that does not fit the task.
pub fn alternatives(
    costs: &mut CostToGo<'_>,
    log: &Log,
    process: &Process,
    control: &dyn Control,
) -> Result<Vec<Vec<Vec<Alternative>>>, ProcessError> {
    let walk = Walk::new(costs, log).map_err(ProcessError::Log)?;
    let mut steps = Vec::with_capacity(process.steps.len());
    for (timestep, step) in walk.timesteps.iter().zip(&process.steps) {
        let passages = &walk.passages[timestep.first..timestep.end];
        let joint: Vec<OperatorId> = passages
            .iter()
            .flat_map(|passage| passage.choices.iter().copied())
            .collect();
        let choices = step.choices.iter().enumerate().map(|(index, choice)| {
            if choice.regret.is_loss() != Some(true) || control.stop().is_some() {
                return Vec::new();
            }
            let chosen = choice.after.plus(i128::from(choice.cost));
            let place = match costs.task().turns {
                TurnMode::Sequential => timestep.first + index,
                TurnMode::Simultaneous | TurnMode::Alternate => timestep.first,
            };
            let Some(operator) = joint.get(index) else {
                return Vec::new();
            };
            let agent = usize::from(costs.task().operator(*operator).agent);
            let state = &walk.points[place].state;
            let applicable: Vec<OperatorId> = costs.task().applicable(state, agent).collect();
            let mut better: Vec<Alternative> = Vec::new();
            for other in applicable {
                if joint[index] == other || control.stop().is_some() {
                    continue;
                }
                let value = match costs.task().turns {
                    TurnMode::Simultaneous => {
                        let mut beginning = joint[..index].to_vec();
                        beginning.push(other);
                        costs.after(state, &beginning, control)
                    }
                    TurnMode::Sequential | TurnMode::Alternate => {
                        let is_last = index + 1 == step.choices.len();
                        after_one(costs, state, (agent, other), is_last, control)
                    }
                };
                if is_less(value, chosen) {
                    better.push(Alternative {
                        action: costs.task().operator(other).name.clone(),
                        value,
                    });
                }
            }
            better.sort_by(|a, b| (a.value.exact(), &a.action).cmp(&(b.value.exact(), &b.action)));
            better.truncate(LISTED);
            better
        });
        steps.push(choices.collect());
    }
    Ok(steps)
}

/// The cost of the best plan from a state in which one agent chooses, beginning with its choice.
fn after_one(
    costs: &mut CostToGo<'_>,
    state: &brigade_task::State,
    (agent, operator): (usize, OperatorId),
    ends_tick: bool,
    control: &dyn Control,
) -> Quantity {
    let task = costs.task();
    let mut next = state.to_owned();
    let mut record = Record::default();
    task.act(&mut next, operator, &mut record);
    if ends_tick {
        task.tick(&mut next, &mut record);
    }
    let cost = costs.measure(Value {
        cost: record.cost,
        makespan: u32::from(ends_tick),
        labels: 0,
    });
    let start = Start {
        state: &next,
        agent: if ends_tick { 0 } else { agent + 1 },
    };
    costs.of(start, control).plus(cost)
}

/// Returns true if a quantity is known exactly, and less than another.
fn is_less(one: Quantity, other: Quantity) -> bool {
    match (one, other) {
        (Quantity::Exact(one), Quantity::Exact(other)) => one < other,
        (Quantity::Exact(_), Quantity::Infinite) => true,
        _ => false,
    }
}
