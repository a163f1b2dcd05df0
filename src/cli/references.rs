//! The references of a task, derived from all its optimal plans.

use super::exit::Result;
use super::solve::search;
use crate::rats::{Count, Limits, References};
use crate::search::dag::PlanDag;
use crate::search::{Control, Plan, SearchOptions, SearchResult, Slack};
use crate::task::PackedTask;

/// All optimal plans of a task, and their references.
pub(super) struct Derived {
    pub(super) result: SearchResult,
    pub(super) plan: Plan,
    pub(super) dag: PlanDag,
    pub(super) references: References,
}

/// Searches for all optimal plans and derives their references. The search's answer alone where
/// the plans were not all found.
pub(super) fn derive(
    task: &PackedTask,
    slack: Option<Slack>,
    options: &SearchOptions,
    control: &dyn Control,
) -> Result<std::result::Result<Box<Derived>, Box<SearchResult>>> {
    let options = options.clone().with_all_plans(true);
    let mut result = search(task, slack, &options, control)?;
    let (Some(dag), Some(plan)) = (result.dag.take(), result.outcome.plan().cloned()) else {
        return Ok(Err(Box::new(result)));
    };
    let mut agents = agent_names(task);
    agents.truncate(task.players());
    let interrupted = || control.stop().is_some();
    let limits = Limits {
        interrupted: &interrupted,
        ..Limits::default()
    };
    let references = References::derive(&dag, &agents, &task.labels, &limits);
    Ok(Ok(Box::new(Derived {
        result,
        plan,
        dag,
        references,
    })))
}

/// The names of the agents of a task, in order.
pub(super) fn agent_names(task: &PackedTask) -> Vec<String> {
    task.agents.iter().map(|agent| agent.name.clone()).collect()
}

/// A number, or an interval.
pub(super) fn amount(count: &Count) -> String {
    match count.exact() {
        Some(count) => count.to_string(),
        None => format!("between {} and {}", count.lower, count.upper),
    }
}
