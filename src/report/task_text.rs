//! A task in a few lines: how large it is, who acts, what is wanted.

use std::collections::BTreeMap;

use crate::task::facts::facts;
use crate::task::layout::{Variable, VariableKind};
use crate::task::{Metric, OperatorKind, Task, TurnMode};

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
            "{} variables, {} bits in {} words of 64",
            task.variables.len(),
            task.bits(),
            task.words
        ),
    );
    let kind = |variable: &Variable| match variable.kind {
        VariableKind::Facts => "of facts",
        VariableKind::Object => "of objects",
        VariableKind::Integer { .. } => "of numbers",
        VariableKind::Activity => "of activities",
        VariableKind::Timer => "timers",
        VariableKind::Derived => "derived",
        VariableKind::Clock => "clocks",
    };
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for variable in &task.variables {
        *kinds.entry(kind(variable)).or_default() += 1;
    }
    let kinds: Vec<String> = kinds
        .iter()
        .map(|(kind, count)| format!("{count} {kind}"))
        .collect();
    line("", kinds.join(", "));
    for agent in &task.agents {
        let name = if agent.name.is_empty() {
            "(no agent)"
        } else {
            &agent.name
        };
        let starts = agent
            .operators
            .iter()
            .filter(|&&operator| task.operator(operator).kind == OperatorKind::Start)
            .count();
        line("agent", format!("{name}: {starts} actions"));
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
    line(
        "tick",
        match task.tick.len() {
            1 => "1 phase".to_owned(),
            phases => format!("{phases} phases"),
        },
    );
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
        line("horizon", format!("{horizon} ticks"));
    }
    let initial = facts(task, &task.initial);
    let more = initial.len().saturating_sub(SHOWN_FACTS);
    for (index, fact) in initial.into_iter().take(SHOWN_FACTS).enumerate() {
        line(if index == 0 { "initially" } else { "" }, fact);
    }
    if more > 0 {
        line("", format!("… and {more} more facts"));
    }
    text
}
