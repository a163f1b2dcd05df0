//! The operators that a line of a trace means in a state.

use std::fmt;

use clap::ValueEnum;
use serde::Serialize;

use super::joint_lines::JointLine;
use super::steps::RefusedCommand;
use crate::agents::idle;
use crate::diagnostics::words::agent_name;
use crate::episode::{Lexicon, Refusal};
use crate::task::effect::Record;
use crate::task::{OperatorId, PackedTask, State, TurnMode};

/// The treatment of an invalid command of a trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum OnInvalid {
    /// The replay ends there.
    #[default]
    Stop,
    /// The agent waits.
    Wait,
    /// All agents wait.
    DropJoint,
}

/// The reason for which a trace cannot be played on.
#[derive(Clone, Debug, Serialize)]
pub(super) struct TraceError {
    pub(super) line: usize,
    pub(super) agent: Option<String>,
    pub(super) message: String,
}

impl fmt::Display for TraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "stopped at line {}", self.line)?;
        if let Some(agent) = &self.agent {
            write!(f, ", {}", agent_name(agent))?;
        }
        write!(f, ": {}", self.message)
    }
}

/// The operators that a line means, in the order in which the agents act, and what was refused.
pub(super) fn joint_action(
    task: &PackedTask,
    lexicon: &Lexicon,
    state: &State,
    line: &JointLine,
    on_invalid: OnInvalid,
) -> std::result::Result<(Vec<OperatorId>, Vec<RefusedCommand>), TraceError> {
    let (joint, refused) = choices(task, lexicon, state, line, on_invalid)?;
    if refused.is_empty() || on_invalid != OnInvalid::DropJoint {
        return Ok((joint, refused));
    }
    let silent = JointLine {
        line: line.line,
        commands: vec![None; line.commands.len()],
        order: line.order.clone(),
    };
    let (joint, _) = choices(task, lexicon, state, &silent, on_invalid)?;
    Ok((joint, refused))
}

/// As [`joint_action`], but that an agent whose command is refused waits, and it alone.
fn choices(
    task: &PackedTask,
    lexicon: &Lexicon,
    state: &State,
    line: &JointLine,
    on_invalid: OnInvalid,
) -> std::result::Result<(Vec<OperatorId>, Vec<RefusedCommand>), TraceError> {
    let error = |agent: usize, message: String| TraceError {
        line: line.line,
        agent: Some(task.agents[agent].name.clone()),
        message,
    };
    let acting = task.acting(state);
    let mut seen = state.to_owned();
    let mut joint = Vec::with_capacity(acting.len());
    let mut refused = Vec::new();
    for agent in line.order(line.commands.len(), task.any_order) {
        let command = &line.commands[agent];
        if !acting.contains(&agent) {
            if let Some(text) = command {
                let message = format!("`{text}`: it is not this agent's turn");
                return Err(error(agent, message));
            }
            continue;
        }
        let idle = idle(task, task.applicable(&seen, agent));
        let cannot_wait = || error(agent, "has no command, and cannot wait".to_owned());
        let operator = match command {
            None => idle.ok_or_else(cannot_wait)?,
            Some(text) => match lexicon.resolve(task, &seen, agent, text) {
                Ok(command) if command.repeat == 1 => command.operator,
                other => {
                    let message = match other {
                        Ok(_) => {
                            "a line of a trace is one timestep: `wait(n)` is n lines".to_owned()
                        }
                        Err(refusal) => message(*refusal),
                    };
                    match idle.filter(|_| on_invalid != OnInvalid::Stop) {
                        Some(idle) => {
                            refused.push(RefusedCommand {
                                line: Some(line.line),
                                agent: task.agents[agent].name.clone(),
                                message,
                            });
                            idle
                        }
                        None => return Err(error(agent, message)),
                    }
                }
            },
        };
        if task.turns == TurnMode::Sequential {
            task.act(&mut seen, operator, &mut Record::default());
        }
        joint.push(operator);
    }
    Ok((joint, refused))
}

/// A trace says what happened: what else could be done is of no interest.
fn message(refusal: Refusal) -> String {
    Refusal {
        legal: Vec::new(),
        more: 0,
        ..refusal
    }
    .to_string()
}
