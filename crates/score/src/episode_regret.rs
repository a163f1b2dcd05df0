//! The regret of an episode, action by action, from exact costs-to-go.
//!
//! Where agents act one after another, each choice is looked at for itself, so that what is lost is
//! charged to the agent who lost it; where they act at once, the joint action is.
//! [`process`](super::process) also charges its parts.

use serde::Serialize;

use super::process::walk::Walk;
use super::process::{CostToGo, Quantity, Unit};
use super::regret::{Regret, regret_with_costs};
use brigade_play::episode::Log;
use brigade_search::{Control, StopReason};

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
    /// What they add up to. The optimum, and what was spent, hold what the metric counts before the first
    /// step.
    pub regret: Regret,
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

/// The regret of a log of the task that `costs` are of.
///
/// # Errors
///
/// A cost-to-go that is not known, or a log that does not fit the task.
pub fn episode_regret(
    costs: &mut CostToGo<'_>,
    log: &Log,
    id: &str,
    control: &dyn Control,
) -> Result<EpisodeRegret, RegretError> {
    let task = costs.task();
    let walk = Walk::new(costs, log).map_err(RegretError::Log)?;
    let known = walk.costs_to_go(costs, control);
    if let Some(reason) = known.iter().copied().find_map(Quantity::stopped) {
        return Err(RegretError::Stopped(reason));
    }
    let optimum = known[0].plus(costs.initial());
    if let Some(reason) = optimum.stopped() {
        return Err(RegretError::Stopped(reason));
    }
    let values: Vec<Option<i64>> = known.into_iter().map(Quantity::exact).collect();
    let of_steps = regret_with_costs(&values, &walk.costs())
        .map_err(|error| RegretError::Log(error.to_string()))?;
    let regret = Regret {
        cost: of_steps.cost + i128::from(costs.initial()),
        optimum: optimum.exact(),
        ..of_steps
    };
    let passages = walk.passages.iter().zip(values.windows(2));
    let actions = passages.zip(&regret.steps).map(|((passage, pair), lost)| {
        let operators = passage.choices.iter().map(|&id| task.operator(id));
        let agents = operators
            .clone()
            .map(|one| task.agents[usize::from(one.agent)].name.clone());
        ActionRegret {
            tick: passage.tick,
            agents: agents.collect(),
            actions: operators.map(|operator| operator.name.clone()).collect(),
            before: pair[0],
            after: pair[1],
            regret: *lost,
        }
    });
    Ok(EpisodeRegret {
        id: id.to_owned(),
        unit: costs.unit(),
        scale: costs.scale(),
        actions: actions.collect(),
        regret,
    })
}
