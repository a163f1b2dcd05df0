//! A task in a few lines: how large it is, who acts, what is wanted.
//!
//! [`TaskSummary`] is the same for programs.

use std::collections::BTreeMap;

use serde::Serialize;

use brigade_diagnostics::words::{agent_name, counted};
use brigade_task::facts::facts;
use brigade_task::layout::{Variable, VariableKind};
use brigade_task::{Agent, Metric, OperatorKind, PackedTask, Task, TurnMode};

/// The most facts of the initial state that are shown.
const SHOWN_FACTS: usize = 40;

/// The role of an agent that is part of the environment.
const NATURE: &str = "nature";

/// A summary of a task.
#[derive(Clone, Debug, Serialize)]
pub struct TaskSummary {
    /// The problem's name.
    pub problem: String,
    /// The domain's name.
    pub domain: String,
    /// The semantics.
    pub semantics: String,
    /// State variables.
    pub variables: usize,
    /// State variables by what they are of.
    pub kinds: BTreeMap<&'static str, usize>,
    /// Bits of a state.
    pub bits: u32,
    /// Words of a state.
    pub words: usize,
    /// The agents, in turn order.
    pub agents: Vec<AgentSummary>,
    /// The turn mode of the agents.
    pub turns: &'static str,
    /// Phases of the tick.
    pub phases: usize,
    /// Labels.
    pub labels: usize,
    /// The quantity that is minimised first: `makespan`, `cost`, `negated-cost`.
    pub metric: &'static str,
    /// The tick at which the task ends.
    pub horizon: Option<u32>,
    /// The facts of the initial state.
    pub initial: Vec<String>,
}

/// An agent and the number of its actions.
#[derive(Clone, Debug, Serialize)]
pub struct AgentSummary {
    /// Its name.
    pub name: String,
    /// The number of actions that it can ever take.
    pub actions: usize,
    /// `nature` where it is part of the environment; else nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<&'static str>,
}

impl TaskSummary {
    /// The summary of a task.
    pub fn new(task: &PackedTask) -> Self {
        let agents = task.agents.iter().map(|agent| AgentSummary {
            name: agent.name.clone(),
            actions: actions(task, agent),
            role: agent.nature.is_some().then_some(NATURE),
        });
        Self {
            problem: task.problem.clone(),
            domain: task.domain.clone(),
            semantics: task.semantics.clone(),
            variables: task.variables.len(),
            kinds: kinds(task),
            bits: task.bits(),
            words: task.words,
            agents: agents.collect(),
            turns: turns(task),
            phases: task.tick.len(),
            labels: task.labels.len(),
            metric: match task.metric {
                Metric::Makespan => "makespan",
                Metric::Cost => "cost",
                Metric::NegatedCost => "negated-cost",
            },
            horizon: task.horizon,
            initial: facts(task, &task.initial),
        }
    }
}

/// Returns the number of variables of each kind.
fn kinds(task: &PackedTask) -> BTreeMap<&'static str, usize> {
    let kind = |variable: &Variable| match variable.kind {
        VariableKind::Facts => "of facts",
        VariableKind::Object => "of objects",
        VariableKind::Integer { .. } => "of numbers",
        VariableKind::Activity => "of activities",
        VariableKind::Timer => "of delayed effects",
        VariableKind::Live => "of the list of delayed effects",
        VariableKind::Derived => "of derived predicates",
        VariableKind::Clock => "of time",
    };
    let mut kinds = BTreeMap::new();
    for variable in &task.variables {
        *kinds.entry(kind(variable)).or_default() += 1;
    }
    kinds
}

/// Returns the number of actions that an agent can ever take.
fn actions(task: &PackedTask, agent: &Agent) -> usize {
    let operators = agent.operators.iter();
    let kinds = operators.map(|&operator| task.operator(operator).kind);
    kinds.filter(|kind| *kind == OperatorKind::Start).count()
}

const fn turns(task: &Task) -> &'static str {
    match task.turns {
        TurnMode::Sequential if task.any_order => "sequential, in any order",
        TurnMode::Sequential => "sequential",
        TurnMode::Simultaneous => "simultaneous",
        TurnMode::Alternate => "alternate",
    }
}

/// The summary as text.
pub fn summary(task: &PackedTask) -> String {
    let mut text = format!(
        "problem {}, domain {}, semantics {}\n",
        task.problem, task.domain, task.semantics
    );
    let mut line = |name: &str, value: String| text.push_str(&format!("{name:<12}{value}\n"));
    line(
        "state",
        format!(
            "{}, {} in {} of 64 bits",
            counted(task.variables.len(), "variable"),
            counted(task.bits(), "bit"),
            counted(task.words, "word"),
        ),
    );
    let kinds = kinds(task);
    let kinds = kinds.iter().map(|(kind, count)| format!("{count} {kind}"));
    let kinds: Vec<String> = kinds.collect();
    if !kinds.is_empty() {
        line("", kinds.join(", "));
    }
    for agent in &task.agents {
        let actions = counted(actions(task, agent), "action");
        let role = match agent.nature {
            Some(_) => format!(" ({NATURE})"),
            None => String::new(),
        };
        line(
            "agent",
            format!("{}{role}: {actions}", agent_name(&agent.name)),
        );
    }
    line("turns", turns(task).to_owned());
    line("tick", counted(task.tick.len(), "phase"));
    line("labels", task.labels.len().to_string());
    line(
        "metric",
        match task.metric {
            Metric::Makespan => "makespan, then labelled actions",
            Metric::Cost => "least cost, then makespan, then labelled actions",
            Metric::NegatedCost => "greatest total, then makespan, then labelled actions",
        }
        .to_owned(),
    );
    if let Some(horizon) = task.horizon {
        line("horizon", counted(horizon, "tick"));
    }
    let initial = facts(task, &task.initial);
    let more = initial.len().saturating_sub(SHOWN_FACTS);
    for (index, fact) in initial.into_iter().take(SHOWN_FACTS).enumerate() {
        line(if index == 0 { "initially" } else { "" }, fact);
    }
    if more > 0 {
        line("", format!("… and {}", counted(more, "more fact")));
    }
    text
}
