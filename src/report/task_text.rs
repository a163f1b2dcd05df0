//! A task in a few lines: how large it is, who acts, what is wanted.

use std::collections::BTreeMap;

use crate::task::facts::facts;
use crate::task::layout::{Variable, VariableKind};
use crate::task::{Metric, OperatorKind, Task, TurnMode};
use crate::words::{agent_name, counted};

/// How many facts of the initial state are shown.
const SHOWN_FACTS: usize = 40;

/// A summary of a task.
pub fn summary(task: &Task) -> String {
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
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for variable in &task.variables {
        *kinds.entry(kind(variable)).or_default() += 1;
    }
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    if !kinds.is_empty() {
        line("", kinds.join(", "));
    }
    for agent in &task.agents {
        let starts = agent
            .operators
            .iter()
            .filter(|&&operator| task.operator(operator).kind == OperatorKind::Start)
            .count();
        line(
            "agent",
            format!("{}: {}", agent_name(&agent.name), counted(starts, "action")),
        );
    }
    line(
        "turns",
        match task.turns {
            TurnMode::Sequential => "sequential",
            TurnMode::Simultaneous => "simultaneous",
            TurnMode::Alternate => "alternate",
        }
        .to_owned(),
    );
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
