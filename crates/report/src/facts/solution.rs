//! Finds facts about a problem by search, within a number of states.

use num_bigint::BigUint;
use serde::Serialize;

use super::alone::Alone;
use super::effort::Effort;
use super::hand_overs::{HandOvers, hand_overs};
use super::questions::{Questions, Reach, Undecided};
use crate::cost::{Amount, cost};
use brigade_rats::{Limits, References};
use brigade_search::dag::PlanDag;
use brigade_search::{Control, Invalid, Outcome, Plan};
use brigade_task::{Metric, PackedTask};

/// The results of searches. Those that are not known within their limit are `None`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Solution {
    /// [`Effort::states`].
    pub states: u64,
    /// True if a plan exists.
    pub solvable: Option<bool>,
    /// The reason why the search for all optimal plans ended before its proof, if it did.
    pub stopped: Option<String>,
    /// The questions that no search decided.
    pub undecided: Vec<Undecided>,
    /// Ticks of an optimal plan, proven.
    pub makespan: Option<u32>,
    /// Labels of an optimal plan, proven.
    pub actions: Option<u32>,
    /// Cost of an optimal plan, proven, where there is a metric.
    pub cost: Option<Amount>,
    /// The number of optimal plans, a decimal.
    pub plans: Option<String>,
    /// The number of references, a decimal.
    pub references: Option<String>,
    /// The sequences of labels of each agent in optimal plans, in turn order; none where the plans are
    /// not known.
    pub sequences: Vec<AgentSequences>,
    /// The first reference: the labels of each agent.
    pub first_reference: Option<Vec<Vec<String>>>,
    /// The states that can be reached.
    pub reach: Option<Reach>,
    /// The number of times that agents take up each other's work in optimal plans; `None` also with one agent.
    pub hand_overs: Option<HandOvers>,
    /// The plans that remain while one agent waits, for each; none where there is one agent, or no plan is known.
    pub without: Vec<Alone>,
    /// True if no agent can be left out: collaboration is forced.
    pub forced: Option<bool>,
}

/// The sequences of labels of one agent in optimal plans.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AgentSequences {
    /// The agent.
    pub agent: String,
    /// The number of distinct ones, a decimal.
    pub count: Option<String>,
    /// Labels in the shortest.
    pub shortest: u32,
    /// Labels in the longest.
    pub longest: u32,
}

/// All optimal plans of a problem.
#[derive(Clone, Debug)]
pub struct Found {
    /// One of them.
    pub plan: Plan,
    /// All of them.
    pub dag: PlanDag,
    /// Their references.
    pub references: References,
}

/// Searches. An error is a bug: a plan that was found does not stand its test.
pub(super) fn solution(
    task: &PackedTask,
    effort: &Effort,
    control: &dyn Control,
) -> Result<(Solution, Option<Found>), Invalid> {
    let questions = Questions::ask(task, effort, control)?;
    let undecided = questions.undecided();
    let solvable = questions.solvable;
    let (mut result, stopped) = questions.plans.unzip();
    let mut solution = Solution {
        states: effort.states,
        solvable,
        stopped: stopped.flatten().map(|reason| reason.to_string()),
        undecided,
        makespan: None,
        actions: None,
        cost: None,
        plans: result
            .as_ref()
            .and_then(|result| result.uncollected.as_ref())
            .map(BigUint::to_string),
        references: None,
        sequences: Vec::new(),
        first_reference: None,
        reach: questions.reach.ok().flatten(),
        hand_overs: None,
        without: Vec::new(),
        forced: None,
    };
    if solvable == Some(true) {
        solution.forced = is_forced(&questions.without);
        solution.without = questions.without;
    }
    let dag = result.as_mut().and_then(|result| result.dag.take());
    let Some(Outcome::Solved(plan)) = result.map(|result| result.outcome) else {
        return Ok((solution, None));
    };
    solution.makespan = Some(plan.value.makespan);
    solution.actions = Some(plan.value.labels);
    solution.cost = (task.metric != Metric::Makespan).then(|| cost(task, plan.value));
    let Some(dag) = dag else {
        return Ok((solution, None));
    };
    let references = references(task, &dag, control);
    solution.plans = Some(references.plans.to_string());
    solution.references = references.total.exact().map(BigUint::to_string);
    let sequences = references.agents.iter().map(|words| AgentSequences {
        agent: words.name.clone(),
        count: words.count.exact().map(BigUint::to_string),
        shortest: words.shortest,
        longest: words.longest,
    });
    solution.sequences = sequences.collect();
    let first = references.iter().next();
    solution.first_reference = first.map(|tuple| references.texts(&tuple));
    solution.hand_overs = hand_overs(task, &dag, effort.states);
    let found = Found {
        plan,
        dag,
        references,
    };
    Ok((solution, Some(found)))
}

/// Returns whether no agent can be left out.
fn is_forced(without: &[Alone]) -> Option<bool> {
    let is = |known: bool| move |alone: &Alone| alone.solvable == Some(known);
    if without.iter().any(is(true)) {
        return Some(false);
    }
    let is_forced = !without.is_empty() && without.iter().all(is(false));
    is_forced.then_some(true)
}

fn references(task: &PackedTask, dag: &PlanDag, control: &dyn Control) -> References {
    let agents: Vec<String> = task.agents.iter().map(|agent| agent.name.clone()).collect();
    let interrupted = || control.stop().is_some();
    let limits = Limits {
        interrupted: &interrupted,
        ..Limits::default()
    };
    References::derive(dag, &agents, &task.labels, &limits)
}
