//! The exact optimal cost-to-go along an episode, and its regret.

use std::collections::BTreeMap;

use serde::Serialize;

use super::exit::{Failure, Result};
use crate::episode::{Log, joint_action};
use crate::score::regret::{Regret, regret_with_costs};
use crate::search::{Control, Objective, Outcome, SearchOptions, Start, StopReason, solve_from};
use crate::task::effect::Record;
use crate::task::{Task, TurnMode};

/// The regret of one episode, action by action.
#[derive(Debug, Serialize)]
pub(super) struct EpisodeRegret {
    pub(super) id: String,
    pub(super) actions: Vec<ActionRegret>,
    pub(super) regret: Regret,
}

/// What one action, or one joint action where agents act at once, did to the optimal cost-to-go.
#[derive(Debug, Serialize)]
pub(super) struct ActionRegret {
    pub(super) tick: u32,
    /// Who acted.
    pub(super) agents: Vec<String>,
    pub(super) actions: Vec<String>,
    /// Ticks to the goal before; `null` where it is out of reach.
    pub(super) before: Option<u32>,
    /// Ticks to the goal after.
    pub(super) after: Option<u32>,
    pub(super) regret: Option<u64>,
}

/// The optimal makespans from the states met.
struct CostToGo<'a> {
    task: &'a Task,
    options: SearchOptions,
    control: &'a dyn Control,
    /// By state and agent to choose.
    known: BTreeMap<(Vec<u64>, usize), Option<u32>>,
}

/// A search was stopped before it had its proof.
#[derive(Debug)]
pub(super) struct Stopped(pub(super) StopReason);

/// The regret of a logged episode; `Err` within if a limit stops the searches.
pub(super) fn of(
    task: &Task,
    log: &Log,
    id: &str,
    memory_limit: Option<usize>,
    control: &dyn Control,
) -> Result<std::result::Result<EpisodeRegret, Stopped>> {
    let mut to_go = CostToGo {
        task,
        options: SearchOptions {
            objective: Objective::Makespan,
            memory_limit,
            ..SearchOptions::default()
        },
        control,
        known: BTreeMap::new(),
    };
    match to_go.walk(log, id) {
        Ok(regret) => Ok(Ok(regret)),
        Err(Problem::Stopped(reason)) => Ok(Err(Stopped(reason))),
        Err(Problem::Log(message)) => Err(Failure::Unusable(format!("{id}: {message}"))),
    }
}

enum Problem {
    Stopped(StopReason),
    Log(String),
}

impl CostToGo<'_> {
    fn walk(&mut self, log: &Log, id: &str) -> std::result::Result<EpisodeRegret, Problem> {
        let task = self.task;
        let mut state = task.initial.clone();
        let mut values = vec![self.value(&state, 0)?];
        let mut costs = Vec::new();
        let mut actions = Vec::new();
        let mut record = Record::default();
        for step in log.steps() {
            let joint = joint_action(task, step).map_err(|e| Problem::Log(e.to_string()))?;
            let apart = task.turns == TurnMode::Sequential;
            let size = if apart { 1 } else { joint.len() };
            let groups = joint.chunks(size.max(1)).count();
            let mut next = state.clone();
            task.step(&mut next, &joint, &mut record)
                .map_err(|e| Problem::Log(format!("tick {}: {e}", step.tick)))?;
            for (index, group) in joint.chunks(size.max(1)).enumerate() {
                let last = index + 1 == groups;
                let value = if last {
                    state.clone_from(&next);
                    self.value(&state, 0)?
                } else {
                    for &operator in group {
                        task.act(&mut state, operator, &mut record);
                    }
                    self.value(&state, index + 1)?
                };
                let operators = group.iter().map(|&id| task.operator(id));
                let agents = operators.clone().map(|operator| {
                    let agent = &task.agents[usize::from(operator.agent)];
                    agent.name.clone()
                });
                actions.push(ActionRegret {
                    tick: step.tick,
                    agents: agents.collect(),
                    actions: operators.map(|operator| operator.name.clone()).collect(),
                    before: values.last().copied().flatten(),
                    after: value,
                    regret: None,
                });
                values.push(value);
                costs.push(u32::from(last));
            }
        }
        let regret =
            regret_with_costs(&values, &costs).map_err(|error| Problem::Log(error.to_string()))?;
        for (action, step) in actions.iter_mut().zip(&regret.steps) {
            action.regret = *step;
        }
        Ok(EpisodeRegret {
            id: id.to_owned(),
            actions,
            regret,
        })
    }

    /// The optimal number of ticks to the goal; `None` where it is out of reach.
    fn value(&mut self, state: &[u64], agent: usize) -> std::result::Result<Option<u32>, Problem> {
        let key = (state.to_vec(), agent);
        if let Some(&value) = self.known.get(&key) {
            return Ok(value);
        }
        let start = Start { state, agent };
        let result = solve_from(self.task, start, &self.options, self.control);
        let value = match &result.outcome {
            Outcome::Solved(plan) => {
                let choices = plan.steps.iter().map(|step| (step.agent, step.operator));
                self.enter(state, plan.value.makespan, choices);
                Some(plan.value.makespan)
            }
            Outcome::Unsolvable => None,
            Outcome::Bounded { reason, .. } => return Err(Problem::Stopped(*reason)),
        };
        self.known.insert(key, value);
        Ok(value)
    }

    /// Along an optimal plan each tick brings the goal one tick nearer.
    fn enter(
        &mut self,
        state: &[u64],
        makespan: u32,
        choices: impl Iterator<Item = (u16, crate::task::OperatorId)>,
    ) {
        let task = self.task;
        let mut state = state.to_vec();
        let mut left = makespan;
        let mut record = Record::default();
        for (agent, operator) in choices {
            let agent = usize::from(agent);
            task.act(&mut state, operator, &mut record);
            let last = task.turns == TurnMode::Alternate || agent + 1 == task.agents.len();
            if last {
                task.tick(&mut state, &mut record);
                left = left.saturating_sub(1);
                self.known.insert((state.clone(), 0), Some(left));
            } else if task.turns == TurnMode::Sequential {
                self.known.insert((state.clone(), agent + 1), Some(left));
            }
        }
    }
}
