//! `plan --explain`: what a search tried, what each attempt has proven, and why it ended.

use crate::report::cost::Amount;
use serde::Serialize;

use super::key::Key;
use crate::diagnostics::words::counted;
use crate::report::table::Table;
use crate::search::{Attempt, AttemptEnd, Method, Outcome, SearchResult, StopReason};
use crate::task::PackedTask;

/// An attempt in JSON.
#[derive(Debug, Serialize)]
pub(super) struct AttemptDocument {
    heuristic: String,
    search: &'static str,
    /// The states it might store before something else would be tried.
    most_states: Option<u64>,
    /// The number of objects that were taken for interchangeable with others.
    interchangeable: usize,
    states: u64,
    expanded: u64,
    generated: u64,
    /// Applicable operators that were left out.
    pruned: Option<u64>,
    evaluated: u64,
    /// The estimate of the initial state, and the proven bound of the attempt, by the key that `bounded` names.
    estimate: Option<Amount>,
    proven: Option<Amount>,
    /// Of a search for plans: what the best plan known after it is worth.
    plan: Option<Amount>,
    end: &'static str,
    stopped: Option<String>,
}

impl AttemptDocument {
    pub(super) fn new(task: &PackedTask, key: Key, attempt: &Attempt) -> Self {
        Self {
            heuristic: attempt.guide.to_string(),
            search: kind(attempt),
            most_states: attempt.most_states,
            interchangeable: attempt.interchangeable,
            states: attempt.states,
            expanded: attempt.expanded,
            generated: attempt.generated,
            pruned: attempt.pruned,
            evaluated: attempt.evaluated,
            estimate: attempt.estimate.map(|value| key.of(task, value)),
            proven: attempt.lower.map(|value| key.of(task, value)),
            plan: attempt.upper.map(|value| key.of(task, value)),
            end: match attempt.end {
                AttemptEnd::Answered => "answered",
                AttemptEnd::GivenUp => "given-up",
                AttemptEnd::Stopped(_) => "stopped",
                AttemptEnd::Improved => "improved",
                AttemptEnd::NotImproved => "not-improved",
                AttemptEnd::Inapplicable => "inapplicable",
            },
            stopped: match attempt.end {
                AttemptEnd::Stopped(reason) => Some(reason.to_string()),
                _ => None,
            },
        }
    }
}

/// Returns the kind of a search.
const fn kind(attempt: &Attempt) -> &'static str {
    match attempt.method {
        Method::BestFirst => "best-first",
        Method::Deepening => "deepening",
        Method::Greedy => "greedy",
        Method::Novelty => "novelty",
        Method::Beam => "beam",
        Method::BoundedCost => "bounded cost",
        Method::Neighbourhood => "neighbourhood",
    }
}

/// The attempts as text.
pub(super) fn text(task: &PackedTask, result: &SearchResult, key: Key) -> String {
    if result.attempts.is_empty() {
        let why = match result.outcome {
            Outcome::Unsolvable => "no plan can begin in the initial state",
            _ => "the initial state is where the plan ends",
        };
        return format!("nothing was searched: {why}\n");
    }
    let columns = [
        "heuristic",
        "search",
        "interchangeable",
        "states",
        "expanded",
        "generated",
        "pruned",
        "evaluated",
        "estimate",
        "proven",
        "end",
    ];
    let mut table = (2..10).fold(Table::new(columns), Table::right);
    for attempt in &result.attempts {
        table.row([
            attempt.guide.to_string(),
            kind(attempt).to_owned(),
            attempt.interchangeable.to_string(),
            attempt.states.to_string(),
            attempt.expanded.to_string(),
            attempt.generated.to_string(),
            shown(attempt.pruned),
            attempt.evaluated.to_string(),
            shown(attempt.estimate.map(|value| key.of(task, value))),
            shown(attempt.lower.map(|value| key.of(task, value))),
            end(task, attempt, result, key),
        ]);
    }
    format!(
        "{}; estimate of the initial state, and what is proven, of the {}\n{}",
        counted(result.attempts.len(), "attempt"),
        key.name(),
        table.render()
    )
}

fn shown(number: Option<impl ToString>) -> String {
    number.map_or_else(String::new, |it| it.to_string())
}

/// Returns the reason why an attempt ended.
fn end(task: &PackedTask, attempt: &Attempt, result: &SearchResult, key: Key) -> String {
    match attempt.end {
        AttemptEnd::Answered => match (&result.outcome, result.dag_stopped) {
            (Outcome::Unsolvable, _) => "all is explored, and there is no plan".to_owned(),
            (_, Some(_)) => "the optimum is proven; collecting all plans was stopped".to_owned(),
            (_, None) => "the optimum is proven".to_owned(),
        },
        AttemptEnd::GivenUp => match attempt.most_states {
            Some(most) => format!("given up at {}", counted(most, "state")),
            None => "given up".to_owned(),
        },
        AttemptEnd::Improved | AttemptEnd::NotImproved => {
            let plan = shown(attempt.upper.map(|value| key.of(task, value)));
            match attempt.end {
                AttemptEnd::Improved => format!("a better plan: {plan}"),
                _ if plan.is_empty() => "no plan found".to_owned(),
                _ => format!("no better plan than {plan}"),
            }
        }
        AttemptEnd::Stopped(StopReason::Unbounded) => StopReason::Unbounded.to_string(),
        AttemptEnd::Stopped(reason) => format!("stopped: {reason}"),
        AttemptEnd::Inapplicable if attempt.method == Method::Deepening => {
            "not used: it is for one plan, with a heuristic, where each step adds to what comes first"
                .to_owned()
        }
        AttemptEnd::Inapplicable => "tells nothing of this task, or does not fit".to_owned(),
    }
}
