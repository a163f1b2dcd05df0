//! Timesteps as `replay` and `run --observe` show them.

use indexmap::IndexMap;
use serde::Serialize;

use crate::diagnostics::words::agent_name;
use crate::episode::{Labelled, StatusName, Step};
use crate::report::cost::{Amount, added};
use crate::report::live::LiveEffects;
use crate::task::facts::facts;
use crate::task::observation::Observed;
use crate::task::{PackedTask, State};

use super::exit::{Failure, Result};

/// A timestep, and what holds after it.
#[derive(Debug, Serialize)]
pub(super) struct ShownStep {
    pub(super) tick: u32,
    /// The agents that acted.
    agents: Vec<String>,
    /// The actions of the step.
    actions: Vec<String>,
    labels: Vec<Labelled>,
    added: Vec<String>,
    removed: Vec<String>,
    facts: Vec<String>,
    /// The state in words, where that is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    observed: Option<Observed>,
    status: StatusName,
    goal: bool,
    cost: i64,
    /// The amounts added to totals, in the problem's own units.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    totals: IndexMap<String, Amount>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    refused: Vec<RefusedCommand>,
}

/// A command that was refused.
#[derive(Clone, Debug, Serialize)]
pub(super) struct RefusedCommand {
    /// The line of the trace that has it, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) line: Option<usize>,
    pub(super) agent: String,
    pub(super) message: String,
}

/// The part of states that is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    /// The facts that change.
    Changes,
    /// All facts.
    Facts,
    /// The state in the words of the domain.
    Words,
}

/// Refuses to show states in words where the domain has none.
pub(super) fn check_words(task: &PackedTask) -> Result<()> {
    if task.observation.is_empty() {
        return Err(Failure::usage(
            format!(
                "of `{}` no fact is said in words that can change",
                task.problem
            ),
            format!(
                "give the predicates or functions of `{}` a `:text`",
                task.domain
            ),
        ));
    }
    Ok(())
}

impl Shown {
    /// A state in words, if these are to be shown.
    pub(super) fn observe(self, task: &PackedTask, state: &State) -> Option<Observed> {
        (self == Self::Words).then(|| task.observe(state))
    }

    /// The state before the first timestep as text.
    pub(super) fn beginning(self, heading: &str, task: &PackedTask, state: &State) -> String {
        let observed = self.observe(task, state);
        let shown = observed.map_or_else(|| listed(task, &facts(task, state)), |it| indented(&it));
        format!("{heading}\n{shown}")
    }

    /// A timestep that ended in a state.
    pub(super) fn step(
        self,
        task: &PackedTask,
        step: Step,
        state: &State,
        refused: Vec<RefusedCommand>,
    ) -> ShownStep {
        let (agents, actions) = step
            .choices
            .into_iter()
            .map(|choice| (choice.agent, choice.action))
            .unzip();
        ShownStep {
            tick: step.tick,
            agents,
            actions,
            labels: step.labels,
            added: step.added,
            removed: step.removed,
            facts: facts(task, state),
            observed: self.observe(task, state),
            status: step.status,
            goal: task.is_goal(state),
            cost: step.cost,
            totals: added(task, &step.totals).into_iter().collect(),
            refused,
        }
    }

    /// A timestep as text.
    pub(super) fn text(self, task: &PackedTask, step: &ShownStep) -> String {
        let live = LiveEffects::new(task);
        let mut text = format!("tick {}\n", step.tick);
        for refused in &step.refused {
            let agent = agent_name(&refused.agent);
            text.push_str(&format!("  refused {agent}: {}\n", refused.message));
        }
        for (agent, action) in step.agents.iter().zip(&step.actions) {
            text.push_str(&format!("  {}: ({action})\n", agent_name(agent)));
        }
        for label in &step.labels {
            let agent = agent_name(&label.agent);
            text.push_str(&format!("  label {agent}: {}\n", label.label));
        }
        match self {
            Self::Words => text.extend(step.observed.as_ref().map(indented)),
            Self::Facts => text.push_str(&listed(task, &step.facts)),
            Self::Changes => {
                for fact in &step.removed {
                    text.push_str(&format!("  - {}\n", live.shown(fact)));
                }
                for fact in &step.added {
                    text.push_str(&format!("  + {}\n", live.shown(fact)));
                }
            }
        }
        if step.status != StatusName::Running {
            text.push_str(&format!("  {}\n", in_words(step.status)));
        }
        text
    }
}

/// Facts, under the heading of their step.
fn listed(task: &PackedTask, facts: &[String]) -> String {
    let live = LiveEffects::new(task);
    let lines = facts
        .iter()
        .map(|fact| format!("    {}\n", live.shown(fact)));
    lines.collect()
}

/// Renders an observation, under the heading of its step.
fn indented(observed: &Observed) -> String {
    let text = observed.to_string();
    let lines = text.lines().map(|line| match line {
        "" => "\n".to_owned(),
        line => format!("    {line}\n"),
    });
    lines.collect()
}

/// Returns the status in words.
pub(super) const fn in_words(status: StatusName) -> &'static str {
    match status {
        StatusName::Running => "the goal is not reached",
        StatusName::Goal => "the goal is reached",
        StatusName::Failed => "the task has failed",
        StatusName::Ended => "the end is reached",
    }
}
