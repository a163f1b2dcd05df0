//! Running a search from the command line, and what is said of its answer.

use std::fmt::Display;

use indexmap::IndexMap;
use serde::Serialize;

use super::args::ProblemArgs;
use super::attempts::AttemptDocument;
use super::exit::{Exit, Failure, Result};
use super::key::Key;
use super::knowledge::Taken;
use super::load::Loaded;
use super::nature;
use super::printer::Printer;
use super::watch::{gap, gap_in_words};
use crate::diagnostics::words::counted;
use crate::report::cost::{Amount, amounts, cost, whole_cost};
use crate::search::dag::PlanDag;
use crate::search::{
    Bounds, Control, Outcome, Plan, SearchOptions, SearchResult, Slack, StopReason, Value, solve,
    solve_within, verify,
};
use crate::task::{Metric, OperatorKind, PackedTask};

/// An answer in JSON.
#[derive(Debug, Serialize)]
pub(super) struct PlanDocument<'a> {
    schema: u32,
    problem: &'a str,
    domain: &'a str,
    semantics: &'a str,
    /// True if a plan exists: `null` if that is not known.
    solvable: Option<bool>,
    optimal: bool,
    /// `helps` where chance decides for some agents: then the plan is none, but a bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    nature: Option<&'static str>,
    /// The knowledge that is assumed of facts that come unannounced, where some do.
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<&'static str>,
    makespan: Option<u32>,
    actions: Option<u32>,
    cost: Option<Amount>,
    /// The totals of the plan, in the problem's own units.
    #[serde(skip_serializing_if = "Option::is_none")]
    totals: Option<IndexMap<&'a str, Amount>>,
    lower_bound: Option<Amount>,
    upper_bound: Option<Amount>,
    gap: Option<f64>,
    /// The quantity that the bounds bound.
    bounded: &'static str,
    stopped: Option<String>,
    plan: Option<Vec<Entry>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<Within>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plans: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dag: Option<DagSize>,
    expanded: u64,
    generated: u64,
    evaluated: u64,
    states: u64,
    bytes_per_state: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    attempts: Option<Vec<AttemptDocument>>,
    seconds: super::load::Seconds,
}

/// One line of a plan.
#[derive(Debug, Serialize)]
pub(super) struct Entry {
    /// Ticks that have passed before it.
    pub(super) tick: u32,
    pub(super) agent: String,
    /// `null` for a label that comes without an action of its agent.
    pub(super) action: Option<String>,
    pub(super) label: Option<String>,
    /// True where the agent waits or goes on.
    #[serde(skip)]
    pub(super) is_quiet: bool,
}

/// The greatest value of plans that are collected beside the optimal ones.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Within {
    slack: String,
    cost: Option<Amount>,
    makespan: u32,
    actions: Option<u32>,
}

/// The size of a DAG of plans.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct DagSize {
    pub(super) nodes: usize,
    pub(super) edges: usize,
    /// True if nodes that differ in which of interchangeable objects is where are one.
    pub(super) up_to_symmetry: bool,
}

impl DagSize {
    pub(super) fn new(dag: &PlanDag) -> Self {
        Self {
            nodes: dag.nodes.len(),
            edges: dag.edges.len(),
            up_to_symmetry: dag.is_up_to_symmetry,
        }
    }
}

impl<'a> PlanDocument<'a> {
    /// With the view that it was planned in.
    pub(super) fn seen(self, view: Option<Taken>) -> Self {
        Self {
            view: view.map(Taken::name),
            ..self
        }
    }

    pub(super) fn new(loaded: &'a Loaded, result: &SearchResult, key: Key) -> Self {
        let task = &loaded.task;
        let plan = result.outcome.plan();
        let (lower, stopped) = match &result.outcome {
            Outcome::Solved(plan) => (Some(plan.value), result.dag_stopped),
            Outcome::Unsolvable => (None, None),
            Outcome::Bounded { lower, reason, .. } => (*lower, Some(*reason)),
        };
        let statistics = &result.statistics;
        let proven = lower.map(|value| key.of(task, value));
        let helps = task.has_nature();
        let found = plan.filter(|_| !helps);
        let found = found.map(|plan| key.of(task, plan.value));
        let interval = if key.is_maximised(task) {
            (found, proven)
        } else {
            (proven, found)
        };
        Self {
            schema: 1,
            problem: &task.problem,
            domain: &task.domain,
            semantics: &task.semantics,
            solvable: match &result.outcome {
                Outcome::Unsolvable => Some(false),
                outcome => outcome.plan().map(|_| true),
            },
            optimal: matches!(result.outcome, Outcome::Solved(_)) && !helps,
            nature: helps.then_some(nature::HELPS),
            view: None,
            makespan: plan.map(|plan| plan.value.makespan),
            actions: plan.map(|plan| plan.value.labels),
            cost: plan.map(|plan| cost(task, plan.value)),
            totals: plan
                .filter(|_| !task.totals.is_empty())
                .map(|plan| amounts(task, &plan.totals(task)).into_iter().collect()),
            lower_bound: interval.0,
            upper_bound: interval.1,
            gap: interval.0.zip(interval.1).and_then(gap),
            bounded: key.name(),
            stopped: stopped.map(|reason| reason.to_string()),
            plan: plan.map(|plan| entries(task, plan)),
            plans: result
                .dag
                .as_ref()
                .map(PlanDag::count)
                .or_else(|| result.uncollected.clone())
                .map(|count| count.to_string()),
            dag: result.dag.as_ref().map(DagSize::new),
            expanded: statistics.expanded,
            generated: statistics.generated,
            evaluated: statistics.evaluated,
            states: statistics.states,
            bytes_per_state: (statistics.bytes_per_state * 10.0).round() / 10.0,
            within: None,
            attempts: None,
            seconds: loaded.seconds,
        }
    }

    /// With what the plans may be worth that were collected.
    pub(super) fn within(mut self, task: &PackedTask, slack: Slack, bounds: Bounds) -> Self {
        self.within = Some(Within {
            slack: slack.to_string(),
            cost: bounds.cost.map(|cost| whole_cost(task, cost)),
            makespan: bounds.makespan,
            actions: bounds.labels,
        });
        self
    }

    /// With what the search tried.
    pub(super) fn explained(mut self, task: &PackedTask, result: &SearchResult, key: Key) -> Self {
        let attempts = result.attempts.iter();
        let documents = attempts.map(|attempt| AttemptDocument::new(task, key, attempt));
        self.attempts = Some(documents.collect());
        self
    }
}

/// A plan line by line.
pub(super) fn entries(task: &PackedTask, plan: &Plan) -> Vec<Entry> {
    let mut entries = Vec::with_capacity(plan.steps.len());
    let name = |agent: u16| task.agents[usize::from(agent)].name.clone();
    for step in &plan.steps {
        let mut own = Vec::new();
        let mut others = Vec::new();
        for entry in &step.labels {
            let label = task.label(entry.label).to_owned();
            if entry.agent == step.agent {
                own.push(label);
            } else {
                others.push((entry.agent, label));
            }
        }
        let mut own = own.into_iter();
        let operator = task.operator(step.operator);
        entries.push(Entry {
            tick: step.tick,
            agent: name(step.agent),
            action: Some(operator.name.clone()),
            label: own.next(),
            is_quiet: matches!(operator.kind, OperatorKind::Wait | OperatorKind::Continue),
        });
        let more = own.map(|label| (step.agent, label)).chain(others);
        entries.extend(more.map(|(agent, label)| Entry {
            tick: step.tick,
            agent: name(agent),
            action: None,
            label: Some(label),
            is_quiet: false,
        }));
    }
    entries
}

/// Searches for an optimal plan or, within a factor of it, for all. Plans are tested before they are
/// shown.
pub(super) fn search(
    task: &PackedTask,
    slack: Option<Slack>,
    options: &SearchOptions,
    control: &dyn Control,
) -> Result<SearchResult> {
    let Some(slack) = slack else {
        return checked(task, solve(task, options, control));
    };
    if !Slack::applies_to(task, options.objective()) {
        return Err(Failure::usage(
            "`--slack` needs costs that are minimised and that no step lowers",
            "`--objective makespan` counts ticks alone",
        ));
    }
    checked(task, solve_within(task, slack, options, control))
}

/// Renders the number of collected plans.
pub(super) fn collected(task: &PackedTask, count: impl Display, slack: Option<Slack>) -> String {
    match slack {
        None if task.has_nature() => counted(count, "plan of that value"),
        None => counted(count, "optimal plan"),
        Some(slack) => {
            let plans = counted(count, "plan");
            format!("{plans} within a factor of {slack} of the optimum, without idle steps,")
        }
    }
}

/// Returns the reason why not all plans were collected, as a line.
pub(super) fn not_collected(slack: Option<Slack>, reason: StopReason) -> String {
    let plans = match slack {
        None => "optimal plans".to_owned(),
        Some(slack) => format!("plans within a factor of {slack} of the optimum"),
    };
    format!("not all {plans} were collected: {reason}\n")
}

/// Replays the plan of an answer, if any, before it is shown.
fn checked(task: &PackedTask, result: SearchResult) -> Result<SearchResult> {
    if let Some(plan) = result.outcome.plan() {
        verify(task, plan)?;
    }
    Ok(result)
}

/// The exit code that an answer leads to.
pub(super) fn exit(result: &SearchResult) -> Exit {
    match &result.outcome {
        Outcome::Solved(_) if result.dag_stopped.is_none() => Exit::Done,
        Outcome::Solved(_) | Outcome::Bounded { .. } => Exit::Limit,
        Outcome::Unsolvable => Exit::Negative,
    }
}

/// Says where to go on from a problem without a plan.
pub(super) fn advise(printer: &Printer, problem: &ProblemArgs, result: &SearchResult) {
    if matches!(result.outcome, Outcome::Unsolvable) {
        printer.note(&format!(
            "  help: `{}` says what the goal lacks, if that shows without a search",
            problem.check_command()
        ));
    }
}

/// One sentence on an answer.
pub(super) fn sentence(task: &PackedTask, result: &SearchResult, key: Key) -> String {
    let value = |value: Value| {
        let mut text = format!(
            "makespan {}, {}",
            value.makespan,
            counted(value.labels, "labelled action")
        );
        if task.metric != Metric::Makespan {
            text = format!("cost {}, {text}", cost(task, value));
        }
        text
    };
    match &result.outcome {
        Outcome::Solved(plan) if task.has_nature() => {
            format!("a bound, with nature's help: {}", value(plan.value))
        }
        Outcome::Unsolvable if task.has_nature() => {
            "unsolvable, proven: no plan exists, even with nature's help".to_owned()
        }
        Outcome::Solved(plan) => format!("optimal, proven: {}", value(plan.value)),
        Outcome::Unsolvable => "unsolvable, proven: no plan exists".to_owned(),
        Outcome::Bounded {
            lower,
            upper,
            reason,
        } => {
            let (bound, least) = if key.is_maximised(task) {
                ("upper", "at most")
            } else {
                ("lower", "at least")
            };
            let of = |value| key.of(task, value);
            let (proven, found) = (lower.map(of), upper.as_ref().map(|plan| of(plan.value)));
            let gap = match (key.is_maximised(task), proven.zip(found)) {
                (_, None) => None,
                (false, Some(interval)) => gap(interval),
                (true, Some((proven, found))) => gap((found, proven)),
            };
            let gap = gap.map_or_else(String::new, |gap| format!("; {}", gap_in_words(gap)));
            let bound = proven.map_or_else(
                || format!("no {bound} bound"),
                |proven| format!("{} {least} {proven}", key.name()),
            );
            let upper = match upper {
                Some(plan) => format!("the best plan found has {}", value(plan.value)),
                None => "no plan found".to_owned(),
            };
            format!("not solved: {reason}; {bound}, {upper}{gap}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::exit::Failure;
    use crate::search::{SearchOptions, Unlimited, solve};
    use crate::{ground, sema, syntax};

    /// One lamp, which is pressed.
    fn lamp() -> PackedTask {
        let domain = "(define (domain lamp) (:predicates (lit))
            (:action press :parameters () :effect (lit)))";
        let problem = "(define (problem lamp) (:domain lamp) (:goal (lit)))";
        let mut sources = crate::diagnostics::Sources::new();
        let mut found = crate::diagnostics::Diagnostics::new();
        let files = sema::Files {
            domain: sources.add("domain", domain),
            problem: sources.add("problem", problem),
        };
        let domain = syntax::parse_domain(files.domain, domain, &mut found);
        let problem = syntax::parse_problem(files.problem, problem, &mut found);
        let options = sema::Options::default();
        let model = sema::resolve(&domain, &problem, &options, files, &mut found);
        let model = model.expect("the domain is right");
        ground::ground(&model, &ground::Options::default()).expect("it is small")
    }

    #[test]
    fn a_plan_that_does_not_stand_its_test_is_an_internal_error() {
        let task = lamp();
        let answer = || solve(&task, &SearchOptions::default(), &Unlimited);
        assert!(checked(&task, answer()).is_ok());
        let mut wrong = answer();
        if let Outcome::Solved(plan) = &mut wrong.outcome {
            plan.value.cost += 1;
        }
        let failure = checked(&task, wrong).expect_err("its cost is another");
        assert!(matches!(failure, Failure::InvalidPlan(_)));
        assert_eq!(failure.exit(), Exit::Internal);
        let text = failure.to_string();
        assert!(text.starts_with("internal error: "), "{text}");
        assert!(!text.contains('\n'), "{text}");
    }
}
