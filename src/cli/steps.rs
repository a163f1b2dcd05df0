//! Timesteps as `replay` and `run --observe` show them.

use indexmap::IndexMap;
use serde::Serialize;

use crate::diagnostics::words::agent_name;
use crate::episode::{Labelled, StatusName, Step};
use crate::report::cost::{Amount, added};
use crate::report::live::LiveEffects;
use crate::task::facts;
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
    /// The lines of the state in a text.
    #[serde(skip)]
    lines: String,
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
        let listed = || listed(&LiveEffects::new(task).facts(state));
        let shown = observed.as_ref().map_or_else(listed, indented);
        format!("{heading}\n{shown}")
    }

    /// A timestep that led from a state to another.
    pub(super) fn step(
        self,
        task: &PackedTask,
        step: Step,
        before: &State,
        state: &State,
        refused: Vec<RefusedCommand>,
    ) -> ShownStep {
        let observed = self.observe(task, state);
        let live = LiveEffects::new(task);
        let lines = match self {
            Self::Words => observed.as_ref().map_or_else(String::new, indented),
            Self::Facts => listed(&live.facts(state)),
            Self::Changes => changed(live.changes(before, state)),
        };
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
            facts: facts::facts(task, state),
            observed,
            status: step.status,
            goal: task.is_goal(state),
            cost: step.cost,
            totals: added(task, &step.totals).into_iter().collect(),
            refused,
            lines,
        }
    }
}

impl ShownStep {
    /// The timestep as text.
    pub(super) fn text(&self) -> String {
        let mut text = format!("tick {}\n", self.tick);
        for refused in &self.refused {
            let agent = agent_name(&refused.agent);
            text.push_str(&format!("  refused {agent}: {}\n", refused.message));
        }
        for (agent, action) in self.agents.iter().zip(&self.actions) {
            text.push_str(&format!("  {}: ({action})\n", agent_name(agent)));
        }
        for label in &self.labels {
            let agent = agent_name(&label.agent);
            text.push_str(&format!("  label {agent}: {}\n", label.label));
        }
        text.push_str(&self.lines);
        if self.status != StatusName::Running {
            text.push_str(&format!("  {}\n", in_words(self.status)));
        }
        text
    }
}

/// Facts, under the heading of their step.
fn listed(facts: &[String]) -> String {
    facts.iter().map(|fact| format!("    {fact}\n")).collect()
}

/// Facts that a step adds, and those that it removes, under its heading.
fn changed((added, removed): (Vec<String>, Vec<String>)) -> String {
    let removed = removed.iter().map(|fact| format!("  - {fact}\n"));
    let added = added.iter().map(|fact| format!("  + {fact}\n"));
    removed.chain(added).collect()
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
