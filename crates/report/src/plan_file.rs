//! A plan in the form of the planning competitions, as Fast Downward writes it and the validator VAL
//! reads it.
//!
//! One line for each step, `(action argument …)`, then a comment with the cost: with unit cost the
//! number of steps, where the problem has no metric.

use brigade_task::{Metric, OperatorKind, PackedTask};

use brigade_search::Plan;

/// Returns the obstacle that keeps a compiled task from the form, which has no room for who acts or when. `None` where
/// a plan is a sequence of actions and nothing else.
pub fn obstacle(task: &PackedTask) -> Option<&'static str> {
    let starts_only = |task: &PackedTask| {
        let mut operators = task.operators.iter();
        operators.all(|operator| operator.kind == OperatorKind::Start)
    };
    if !matches!(&task.agents[..], [only] if only.name.is_empty()) || !starts_only(task) {
        Some("it has agents")
    } else if !task.timers.is_empty() || task.clock.is_some() {
        Some("something in it depends on time")
    } else {
        None
    }
}

/// The file, in lower case, in which other tools write names. The plan must be one of the task, which
/// must have no [`obstacle`]; `cost` is what the plan is worth in the problem's own units.
pub fn render(task: &PackedTask, plan: &Plan, cost: &str) -> String {
    let mut text = String::new();
    for step in &plan.steps {
        let name = task.operator(step.operator).name.to_lowercase();
        text.push_str(&format!("({name})\n"));
    }
    let kind = match task.metric {
        Metric::Makespan => "unit cost",
        Metric::Cost | Metric::NegatedCost => "general cost",
    };
    text.push_str(&format!("; cost = {cost} ({kind})\n"));
    text
}
