//! The regret of an episode, action by action, from exact costs-to-go.
//!
//! What counts is what the problem declares first: its metric, or ticks where it has none. Where
//! agents act one after another, each choice is looked at for itself, so that what is lost is
//! charged to the agent who lost it; where they act at once, the joint action is.

use serde::Serialize;

use super::regret::{Regret, regret_with_costs};
use crate::episode::{Log, joint_action};
use crate::search::{Control, Distances, Objective, SearchOptions, Start, StopReason, Value};
use crate::task::effect::Record;
use crate::task::{Metric, OperatorId, Task, TurnMode};

/// The regret of one episode, action by action.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct EpisodeRegret {
    /// A name for the episode.
    pub id: String,
    /// What is counted.
    pub unit: Unit,
    /// How many of it make one unit of the problem's metric; 1 of ticks.
    pub scale: i64,
    /// In the order in which they were done.
    pub actions: Vec<ActionRegret>,
    /// What they add up to.
    pub regret: Regret,
}

/// What regret is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// Ticks.
    Ticks,
    /// The cost as the task counts it.
    Cost,
    /// The same negated, where the greatest is best.
    NegatedCost,
}

/// What one action, or one joint action where agents act at once, did to the optimal cost-to-go.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionRegret {
    /// Ticks that had passed.
    pub tick: u32,
    /// Who acted.
    pub agents: Vec<String>,
    /// The ground names of their operators.
    pub actions: Vec<String>,
    /// The optimal cost-to-go before; `None` where the goal is out of reach.
    pub before: Option<i64>,
    /// The same after.
    pub after: Option<i64>,
    /// What was lost; `None` once the goal is out of reach.
    pub regret: Option<u64>,
}

/// Why the regret of an episode is not known.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RegretError {
    /// A search was stopped before its proof.
    #[error("{0}")]
    Stopped(StopReason),
    /// The log does not fit the task.
    #[error("{0}")]
    Log(String),
}

/// The exact costs-to-go of a task that regret asks for.
pub struct CostsToGo<'t> {
    task: &'t Task,
    distances: Distances<'t>,
}

impl std::fmt::Debug for CostsToGo<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CostsToGo").finish_non_exhaustive()
    }
}

impl<'t> CostsToGo<'t> {
    /// Knows nothing yet. Every search may take up to `memory_limit` bytes.
    pub fn new(task: &'t Task, memory_limit: Option<usize>) -> Self {
        let options = SearchOptions {
            objective: match task.metric {
                Metric::Makespan => Objective::Makespan,
                Metric::Cost | Metric::NegatedCost => Objective::Cost,
            },
            memory_limit,
            ..SearchOptions::default()
        };
        Self {
            task,
            distances: Distances::new(task, options),
        }
    }

    /// The regret of a logged episode of the task.
    pub fn regret(
        &mut self,
        log: &Log,
        id: &str,
        control: &dyn Control,
    ) -> Result<EpisodeRegret, RegretError> {
        let task = self.task;
        let mut state = task.initial.clone();
        let mut values = vec![self.cost_to_go(&state, 0, control)?];
        let mut costs = Vec::new();
        let mut actions = Vec::new();
        for step in log.steps() {
            let fail = |error: &dyn std::fmt::Display| RegretError::Log(error.to_string());
            let joint = joint_action(task, &state, step).map_err(|error| fail(&error))?;
            let mut whole = state.clone();
            task.step(&mut whole, &joint, &mut Record::default())
                .map_err(|error| fail(&format_args!("tick {}: {error}", step.tick)))?;
            let apart = task.turns == TurnMode::Sequential;
            let size = if apart { 1 } else { joint.len().max(1) };
            let groups = joint.chunks(size).len();
            for (index, group) in joint.chunks(size).enumerate() {
                let is_last = index + 1 == groups;
                let cost = self.act(&mut state, group, is_last);
                let next = if is_last { 0 } else { index + 1 };
                let value = self.cost_to_go(&state, next, control)?;
                let operators = group.iter().map(|&id| task.operator(id));
                let names = operators
                    .clone()
                    .map(|one| &task.agents[usize::from(one.agent)]);
                actions.push(ActionRegret {
                    tick: step.tick,
                    agents: names.map(|agent| agent.name.clone()).collect(),
                    actions: operators.map(|operator| operator.name.clone()).collect(),
                    before: values.last().copied().flatten(),
                    after: value,
                    regret: None,
                });
                values.push(value);
                costs.push(cost);
            }
        }
        let regret = regret_with_costs(&values, &costs)
            .map_err(|error| RegretError::Log(error.to_string()))?;
        for (action, lost) in actions.iter_mut().zip(&regret.steps) {
            action.regret = *lost;
        }
        Ok(EpisodeRegret {
            id: id.to_owned(),
            unit: self.unit(),
            scale: match self.unit() {
                Unit::Ticks => 1,
                Unit::Cost | Unit::NegatedCost => task.cost_scale,
            },
            actions,
            regret,
        })
    }

    const fn unit(&self) -> Unit {
        match self.task.metric {
            Metric::Makespan => Unit::Ticks,
            Metric::Cost => Unit::Cost,
            Metric::NegatedCost => Unit::NegatedCost,
        }
    }

    /// Applies choices, and the tick after the last of a timestep; tells what that costs.
    fn act(&self, state: &mut [u64], group: &[OperatorId], is_last: bool) -> i64 {
        let mut record = Record::default();
        for &operator in group {
            self.task.act(state, operator, &mut record);
        }
        if is_last {
            self.task.tick(state, &mut record);
        }
        self.measure(Value {
            cost: record.cost,
            makespan: u32::from(is_last),
            labels: 0,
        })
    }

    fn cost_to_go(
        &mut self,
        state: &[u64],
        agent: usize,
        control: &dyn Control,
    ) -> Result<Option<i64>, RegretError> {
        let start = Start { state, agent };
        let value = self.distances.cost_to_go(start, control);
        let value = value.map_err(RegretError::Stopped)?;
        Ok(value.map(|value| self.measure(value)))
    }

    fn measure(&self, value: Value) -> i64 {
        match self.task.metric {
            Metric::Makespan => i64::from(value.makespan),
            Metric::Cost => value.cost,
            Metric::NegatedCost => value.cost.saturating_neg(),
        }
    }
}
