//! Process metrics: what every timestep and choice of an episode did to the cost-to-go, what refused
//! commands and requests show, and how far the episode came.
//!
//! [`of`] computes them from a log and the exact costs-to-go of its task ([`CostToGo`]), which are
//! kept for other episodes of the task. Nothing is estimated: what a limit leaves unknown is bounded,
//! and says why. `docs/reference/metrics.md` has the definitions.

mod ahead;
pub mod alternatives;
mod attribution;
mod class;
mod collaboration;
mod cost_to_go;
mod ending;
mod failures;
mod quantity;
mod requests;
#[cfg(test)]
mod tests;
mod unmet;
pub(super) mod walk;

use serde::Serialize;

pub use attribution::{ChoiceProcess, StepProcess};
pub use class::{ClassCounts, FailureClass};
pub use cost_to_go::{CostToGo, NoPlans, Unit};
pub use ending::{Bin, Ending};
pub use failures::{ClassedRefusal, Departure, EpisodeFailure, Failures};
pub use quantity::{Bounds, Quantity, field};
pub use requests::{
    ClassedPromise, ClassedRequest, Collaboration, InitiationClass, InitiationCounts,
    ResponseClass, ResponseCounts, Verdict,
};
pub use unmet::{Since, Unmet};

use brigade_play::episode::Log;
use brigade_search::{Control, StopReason};
use walk::Walk;

/// The process metrics of one episode.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Process {
    /// A name for the episode.
    pub id: String,
    /// The unit of costs-to-go, costs and regrets.
    pub unit: Unit,
    /// The number of these units in one unit of the problem's metric; 1 for ticks.
    pub scale: i64,
    /// The end of the episode: its success, cost and progress.
    pub end: Ending,
    /// By agent, in declared order.
    pub agents: Vec<AgentProcess>,
    /// The failures of the agents, by class.
    pub failures: Failures,
    /// The requests and promises of the agents.
    pub collaboration: Collaboration,
    /// The timesteps.
    pub steps: Vec<StepProcess>,
    /// The limit that stopped a search for an unknown quantity, if any did.
    #[serde(serialize_with = "in_words")]
    pub stopped: Option<StopReason>,
}

impl Process {
    /// Returns true if every quantity is known: no search was stopped.
    pub fn is_complete(&self) -> bool {
        self.stopped.is_none() && self.collaboration.stopped.is_none()
    }
}

/// The choices of one agent, and their regret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentProcess {
    /// The agent.
    pub agent: String,
    /// The number of choices that it made while some plan led to the goal.
    pub choices: usize,
    /// The number of them that are known to be part of an optimal plan.
    pub optimal: usize,
    /// The regret of its choices.
    #[serde(flatten, with = "field::regret")]
    pub regret: Quantity,
    /// The regret of the choices that left the goal in reach.
    #[serde(flatten, with = "field::regret_before_dead_end")]
    pub regret_before_dead_end: Quantity,
    /// Its refused commands by class, and its choices that lost something without one.
    pub failures: ClassCounts,
}

/// The reason why there are no process metrics.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ProcessError {
    /// The log does not fit the task.
    #[error("{0}")]
    Log(String),
    /// A contradiction: the cost-to-go falls by more than a timestep costs.
    #[error("tick {tick}: the cost-to-go falls by more than the timestep costs")]
    CostToGo {
        /// The timestep.
        tick: u32,
    },
}

/// The process metrics of a log of the task that `costs` are of.
///
/// Once `control` says stop, what is not known yet is bounded by what is ([`Process::stopped`]).
///
/// # Errors
///
/// A log that does not fit the task; see [`Episode::verify`](brigade_play::episode::Episode::verify) for a
/// check of all of it.
pub fn of(
    costs: &mut CostToGo<'_>,
    log: &Log,
    id: &str,
    control: &dyn Control,
) -> Result<Process, ProcessError> {
    let task = costs.task();
    let walk = Walk::new(costs, log).map_err(ProcessError::Log)?;
    let values = walk.costs_to_go(costs, control);
    let steps = attribution::steps(&walk, &values, log, costs, control);
    let is_negative = |regret: Quantity| regret.exact().is_some_and(|lost| lost < 0);
    let choices = || steps.iter().flat_map(|step| &step.choices);
    if let Some(step) = steps.iter().find(|step| {
        is_negative(step.regret) || step.choices.iter().any(|choice| is_negative(choice.regret))
    }) {
        return Err(ProcessError::CostToGo { tick: step.tick });
    }
    let unit = costs.unit();
    let regrets: Vec<Quantity> = steps.iter().map(|step| step.regret).collect();
    let end = ending::ending(log, &walk, &values, &regrets, costs);
    let (failures, of_agents) = failures::failures(task, log, &walk, &steps, unit == Unit::Ticks);
    let collaboration = collaboration::collaboration(log, &walk, costs, control);
    let agents = task.agents.iter().zip(of_agents);
    let agents = agents.map(|(agent, failures)| {
        let own = || choices().filter(|choice| choice.agent == agent.name);
        let regrets = || own().map(|choice| choice.regret);
        AgentProcess {
            agent: agent.name.clone(),
            choices: regrets()
                .filter(|lost| *lost != Quantity::Undefined)
                .count(),
            optimal: own().filter(|choice| choice.optimal == Some(true)).count(),
            regret: Quantity::sum(regrets()),
            regret_before_dead_end: Quantity::sum(
                regrets().filter(|lost| *lost != Quantity::Infinite),
            ),
            failures,
        }
    });
    let parts = choices().flat_map(|choice| [choice.before, choice.after]);
    Ok(Process {
        id: id.to_owned(),
        unit,
        scale: costs.scale(),
        end,
        agents: agents.collect(),
        failures,
        collaboration,
        stopped: values
            .iter()
            .copied()
            .chain(parts)
            .find_map(Quantity::stopped),
        steps,
    })
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature that serde's serialize_with asks for"
)]
fn in_words<S: serde::Serializer>(
    reason: &Option<StopReason>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match reason {
        Some(reason) => serializer.serialize_some(&reason.to_string()),
        None => serializer.serialize_none(),
    }
}
