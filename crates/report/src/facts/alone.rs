//! Plans where one agent only waits: they show whether the others need it, and how much it helps.

use serde::Serialize;

use super::effort::{Effort, is_solvable};
use crate::cost::{Amount, cost};
use brigade_search::{Control, Outcome, StopReason, solve};
use brigade_task::{Metric, OperatorId, OperatorKind, PackedTask};

/// The plans of the others while one agent waits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Alone {
    /// The agent that waits.
    pub agent: String,
    /// True if a plan exists all the same: if not, the agent is needed. `None` if that is not known.
    pub solvable: Option<bool>,
    /// Ticks of an optimal plan.
    pub makespan: Option<u32>,
    /// Its labels.
    pub actions: Option<u32>,
    /// Its cost, where there is a metric.
    pub cost: Option<Amount>,
    /// The limit that ended the search before its answer, if any did.
    #[serde(skip)]
    pub(super) stopped: Option<StopReason>,
}

impl Alone {
    /// Searches, unless `control` says stop: to begin a search takes a while in a large task.
    pub(super) fn new(
        task: &PackedTask,
        agent: usize,
        effort: &Effort,
        control: &dyn Control,
    ) -> Self {
        if let Some(reason) = control.stop() {
            return Self::unknown(task, agent, reason);
        }
        let options = effort.search().with_all_plans(false);
        let without = only_waiting(task, agent);
        let outcome = solve(&without, &options, control).outcome;
        let optimum = match &outcome {
            Outcome::Solved(plan) => Some(plan.value),
            _ => None,
        };
        Self {
            agent: task.agents[agent].name.clone(),
            solvable: is_solvable(&outcome),
            makespan: optimum.map(|value| value.makespan),
            actions: optimum.map(|value| value.labels),
            cost: optimum
                .filter(|_| task.metric != Metric::Makespan)
                .map(|value| cost(task, value)),
            stopped: match outcome {
                Outcome::Bounded { reason, .. } => Some(reason),
                Outcome::Solved(_) | Outcome::Unsolvable => None,
            },
        }
    }

    fn unknown(task: &PackedTask, agent: usize, reason: StopReason) -> Self {
        Self {
            agent: task.agents[agent].name.clone(),
            solvable: None,
            makespan: None,
            actions: None,
            cost: None,
            stopped: Some(reason),
        }
    }

    /// Takes over what another search has found, which may have been cut off sooner.
    pub(super) fn learn(&mut self, other: Self) {
        let solvable = other.solvable.or(self.solvable);
        *self = Self { solvable, ..other };
    }
}

/// The task in which one agent can do nothing but wait. The number of an operator is another there.
///
/// An agent that must act cannot wait, such as the one of a domain without agents, which has no name:
/// nothing is left to it, so the others cannot do without it.
pub fn only_waiting(task: &PackedTask, agent: usize) -> PackedTask {
    task.changed(|made| {
        made.operators.retain(|operator| {
            usize::from(operator.agent) != agent || operator.kind == OperatorKind::Wait
        });
        for agent in &mut made.agents {
            agent.operators.clear();
            agent.wait = None;
        }
        for (operator, number) in made.operators.iter().zip(0..) {
            let id = OperatorId(number);
            let agent = &mut made.agents[usize::from(operator.agent)];
            agent.operators.push(id);
            if operator.kind == OperatorKind::Wait {
                agent.wait = Some(id);
            }
        }
    })
}
