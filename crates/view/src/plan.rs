//! A plan for a page.

use brigade_play::episode::{Chosen, Labelled, StatusName, Step as Played};
use brigade_task::effect::Record;
use brigade_task::facts::{changes, facts};
use brigade_task::totals::Totals;
use brigade_task::{OperatorId, PackedTask};

use crate::board::board;
use crate::document::Course;
use crate::episode::{States, effects};
use crate::lanes::lanes;
use crate::layout::Layout;

/// An action of a plan that is not possible.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("tick {tick}: {reason}")]
pub struct Impossible {
    /// The timestep.
    pub tick: usize,
    /// The reason.
    pub reason: String,
}

/// Plays the joint actions of a plan, one a tick, on the board of a layout.
///
/// # Errors
///
/// A joint action is not possible.
pub fn course(
    task: &PackedTask,
    layout: Option<&Layout>,
    plan: &[Vec<OperatorId>],
) -> Result<Course, Impossible> {
    let mut state = task.initial.clone();
    let mut states = States::of(task);
    states.push_state(task, &state);
    let mut steps = Vec::new();
    for (tick, joint) in plan.iter().enumerate() {
        let mut record = Record::default();
        let before = state.clone();
        task.step(&mut state, joint, &mut record)
            .map_err(|error| Impossible {
                tick,
                reason: error.to_string(),
            })?;
        states.push_state(task, &state);
        let (added, removed) = changes(task, &before, &state);
        let choices = joint.iter().map(|&operator| {
            let operator = task.operator(operator);
            Chosen {
                agent: task.agents[usize::from(operator.agent)].name.clone(),
                action: operator.name.clone(),
                command: None,
                refused: 0,
            }
        });
        steps.push(Played {
            tick: tick as u32,
            choices: choices.collect(),
            labels: Vec::<Labelled>::new(),
            added,
            removed,
            cost: 0,
            totals: Totals::default(),
            status: StatusName::Running,
        });
    }
    let agents: Vec<&str> = task.agents.iter().map(|agent| &*agent.name).collect();
    let steps: Vec<&Played> = steps.iter().collect();
    let initial = facts(task, &task.initial);
    Ok(Course {
        lanes: lanes(&agents, &initial, &steps, &effects(task)),
        board: layout.and_then(|layout| board(layout, &initial, &steps)),
        lines: states.lines,
        states: states.by_tick,
        in_words: states.in_words,
    })
}
