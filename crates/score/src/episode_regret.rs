//! The regret of an episode, action by action, from exact costs-to-go.
//!
//! Where agents act one after another, each choice is looked at for itself, so that what is lost is charged to the
//! agent who lost it; where they act at once, the joint action is. [`process`](super::process) also charges its parts.
//! A change that comes unannounced to agents who plan without it ([`CostToGo::informed`]) is charged to no one, and
//! reported by itself.

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
    /// The unit of costs and regrets.
    pub unit: Unit,
    /// The number of these units in one unit of the problem's metric; 1 for ticks.
    pub scale: i64,
    /// In the order in which they were done.
    pub actions: Vec<ActionRegret>,
    /// The changes of the cost-to-go that came unannounced, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub surprises: Vec<Surprise>,
    /// The regret of the whole episode. The optimum, and what was spent, hold what the metric counts before the first
    /// step.
    pub regret: Regret,
}

/// The change that an unannounced event made to the optimal cost-to-go, as agents know the task.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Surprise {
    /// Ticks that had passed when it came.
    pub tick: u32,
    /// The optimal cost-to-go of what agents knew would come of their actions; `None` where the goal was out of reach.
    pub before: Option<i64>,
    /// The optimal cost-to-go of what came of them.
    pub after: Option<i64>,
    /// The cost of the last timestep beyond what agents expected.
    pub cost: i64,
    /// The change of the cost of the episode if agents choose best: `cost + after − before`; `None` where one of these
    /// is.
    pub change: Option<i128>,
}

/// The effect on the optimal cost-to-go of one action, or of one joint action where agents act at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ActionRegret {
    /// Ticks that had passed.
    pub tick: u32,
    /// The agents that acted.
    pub agents: Vec<String>,
    /// The ground names of their operators.
    pub actions: Vec<String>,
    /// The optimal cost-to-go before; `None` where the goal is out of reach.
    pub before: Option<i64>,
    /// The same after.
    pub after: Option<i64>,
    /// The cost lost; `None` once the goal is out of reach.
    pub regret: Option<u64>,
}

/// The reason why the regret of an episode is not known.
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
    let of_steps = regret_of(&walk, &values)?;
    let regret = Regret {
        cost: of_steps.cost + i128::from(costs.initial()),
        optimum: optimum.exact(),
        ..of_steps
    };
    let chosen = walk.segments().into_iter().flat_map(|(from, to)| from..to);
    let actions = chosen.zip(&regret.steps).map(|(at, lost)| {
        let passage = &walk.passages[at];
        let operators = passage.choices.iter().map(|&id| task.operator(id));
        let agents = operators
            .clone()
            .map(|one| task.agents[usize::from(one.agent)].name.clone());
        ActionRegret {
            tick: passage.tick,
            agents: agents.collect(),
            actions: operators.map(|operator| operator.name.clone()).collect(),
            before: values[at],
            after: values[at + 1],
            regret: *lost,
        }
    });
    Ok(EpisodeRegret {
        id: id.to_owned(),
        unit: costs.unit(),
        scale: costs.scale(),
        actions: actions.collect(),
        surprises: surprises(&walk, &values),
        regret,
    })
}

/// The regret of a walk, segment by segment.
fn regret_of(walk: &Walk<'_>, values: &[Option<i64>]) -> Result<Regret, RegretError> {
    let passed = walk.costs();
    let of = |(from, to): (usize, usize)| {
        regret_with_costs(&values[from..=to], &passed[from..to])
            .map_err(|error| RegretError::Log(error.to_string()))
    };
    let segments = walk.segments();
    let mut regret = of(segments[0])?;
    for &(from, to) in &segments[1..] {
        let joined = regret.then(passed[from - 1], of((from, to))?);
        regret = joined.ok_or(RegretError::Stopped(StopReason::Overflow))?;
    }
    Ok(regret)
}

/// Collects the unannounced changes of the cost-to-go on a walk.
fn surprises(walk: &Walk<'_>, values: &[Option<i64>]) -> Vec<Surprise> {
    let of = |&at: &usize| {
        let passage = &walk.passages[at];
        let (before, after) = (values[at], values[at + 1]);
        let change = before.zip(after).map(|(before, after)| {
            i128::from(passage.cost) + i128::from(after) - i128::from(before)
        });
        Surprise {
            tick: passage.tick + 1,
            before,
            after,
            cost: passage.cost,
            change,
        }
    };
    walk.surprises.iter().map(of).collect()
}
