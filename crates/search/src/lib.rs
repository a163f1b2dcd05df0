//! Optimal plans of a task, the proof, and the DAG of all of them.
//!
//! [`solve`] is the way in. It returns an optimal plan with its proof, the proof that there is
//! none, or bounds where something stops it. The crate has one folder for each part of a planner:
//!
//! - `space`: nodes, the tables that store them, queues of open ones, generation of successors;
//! - `algorithms`: uniform-cost search, A*, iterative deepening, searches for good plans, and the
//!   work of several threads;
//! - `heuristics`: admissible estimates of the cost-to-go, and relaxed plans, which guide searches
//!   for good plans;
//! - `reductions`: symmetry, stubborn sets;
//! - `plans`: plans, their DAG, the way from a finished search to them, plans within a factor of
//!   the optimum, validation;
//! - `portfolio`: which attempts a search makes, in which order, with which limits.
//!
//! Beside the folders, `options` are what a caller chooses, `control` stops a search from outside,
//! `measure` is the vector of keys that an objective minimises, `result` and `attempt` are the
//! answer and its history; `threads` and `shared_work` run work in parallel.
//!
//! Other ways in: [`solve_within`] finds all plans within a factor of the optimum, [`Distances`]
//! answers for many states of one task, [`LowerBounds`] estimates states without a search,
//! [`with_first_choices`] fixes the first choices of some agents, and [`validate`] replays a plan
//! independently of any search.
//!
//! # What is minimised
//!
//! A search minimises a lexicographic vector of additive keys that always contains the makespan.
//! Each step costs one tick, so optimal plans visit no state twice, and there are finitely many,
//! even where a metric gives steps no cost. A plan ends at the first state in which the goal holds:
//! what could be gained by going on from there does not count.

mod algorithms;
mod attempt;
mod control;
mod distances;
mod first_choices;
mod heuristics;
mod lookahead;
mod lower_bounds;
mod measure;
mod options;
mod plans;
mod portfolio;
mod reductions;
mod reports;
mod result;
mod shared_work;
mod space;
mod threads;

pub use plans::dag;

pub use attempt::{Attempt, AttemptEnd, Guide, Method};
pub use control::{Control, Progress, StopReason, Unlimited};
pub use distances::{Distances, Unproven};
pub use first_choices::with_first_choices;
pub use heuristics::{
    Answer, Estimate, EstimateKeys, Heuristic, HeuristicContext, HeuristicFactory,
    HeuristicRegistry, Max, UnknownHeuristic,
};
pub use lookahead::{Lookahead, Ticks};
pub use lower_bounds::LowerBounds;
pub use options::{
    AnytimeChoice, DeepeningChoice, HeuristicChoice, Objective, PlanLead, PruningChoice,
    SearchOptions, SymmetryChoice,
};
pub use plans::near_optimal::solve_within;
pub use plans::plan::{Plan, PlanStep, Value};
pub use plans::slack::{Bounds, NoSlack, Slack};
pub use plans::validate::{Invalid, validate, verify};
pub use reductions::symmetry::interchangeable;
pub use result::{Outcome, SearchResult, Statistics};
pub use space::start::Start;

use std::sync::Arc;

use num_bigint::BigUint;

use brigade_task::PackedTask;
use measure::Measure;
use plans::dag::PlanDag;
use plans::representatives::Representatives;
use plans::{redundant_actions, trace, unfolding};
use portfolio::{Exploration, Finished, explore};
use reductions::stubborn_sets;
use reductions::symmetry::Symmetries;
use reports::Reports;
use space::expand::{Expander, halves};
use space::node_kind::{NodeKind, node_kind};
use space::search_space::Space;

/// Finds an optimal plan of a task from its initial state.
///
/// The answer is exact: [`Outcome::Solved`] and [`Outcome::Unsolvable`] are proven. It depends on
/// the task and the options only, not on `control`, unless that stops the search.
pub fn solve(task: &PackedTask, options: &SearchOptions, control: &dyn Control) -> SearchResult {
    solve_from(task, Start::initial(task), options, control)
}

/// The same where the steps of a plan are known: nothing is stored that leads to worse ones, and
/// good plans are looked for near it. It is the answer, proven or as an upper bound, unless a
/// better one is found.
///
/// Fails where it is no plan.
pub fn solve_knowing(
    task: &PackedTask,
    steps: Vec<PlanStep>,
    options: &SearchOptions,
    control: &dyn Control,
) -> Result<SearchResult, Invalid> {
    let value = validate(task, &steps)?;
    let known = Some(Plan { value, steps });
    Ok(search(task, Start::initial(task), known, options, control))
}

/// Returns whether pruning ([`PruningChoice`]) is sound in searches from the initial state.
pub fn allows_pruning(task: &PackedTask, options: &SearchOptions) -> bool {
    !options.all && stubborn_sets::are_sound(task, Measure::new(task, options.objective))
}

/// Finds an optimal plan from any state, in the middle of an episode say. Its ticks and its value
/// count from there.
pub fn solve_from(
    task: &PackedTask,
    start: Start,
    options: &SearchOptions,
    control: &dyn Control,
) -> SearchResult {
    search(task, start, None, options, control)
}

fn search(
    task: &PackedTask,
    start: Start,
    known: Option<Plan>,
    options: &SearchOptions,
    control: &dyn Control,
) -> SearchResult {
    let first = start.agent.min(halves(task) - 1);
    if first == 0 {
        let outcome = match node_kind(task, start.state) {
            NodeKind::Interior => None,
            NodeKind::Final => Some(Outcome::Solved(Plan::default())),
            NodeKind::DeadEnd => Some(Outcome::Unsolvable),
        };
        if let Some(outcome) = outcome {
            return trivial(outcome, options);
        }
    }
    let measure = Measure::new(task, options.objective);
    let control = &Reports::new(control, measure);
    let Finished {
        exploration,
        attempts,
        mut expander,
    } = explore(task, start, known.clone(), options, control, measure);
    let Exploration {
        space,
        explored,
        earlier,
        symmetries,
        ..
    } = exploration;
    let goals = space.best_goals();
    debug_assert!(
        explored.is_err() || earlier.is_none() || !goals.is_empty() || !options.all,
        "a plan was found before, and a search for all plans finds none"
    );
    let found = goals.first().map(|&goal| {
        let representatives = Representatives::new(symmetries.clone());
        trace::plan(&space, &mut expander, representatives, start, goal)
    });
    let plans = found.into_iter().chain(earlier).chain(known);
    let plan = plans
        .min_by_key(|plan| measure.keys(plan.value))
        .map(|plan| redundant_actions::replace_redundant_actions(task, start, plan));
    let (explored, plan) = match plan {
        Some(plan) if is_saturated(plan.value.cost) => {
            (explored.and(Err(StopReason::Overflow)), None)
        }
        plan => (explored, plan),
    };
    let mut dag = None;
    let mut dag_stopped = None;
    let mut uncollected = None;
    let outcome = match (explored, plan) {
        (Ok(()), None) => Outcome::Unsolvable,
        (Ok(()), Some(plan)) => {
            if options.all {
                match all_plans(&space, start, &goals, symmetries, &mut expander) {
                    Ok(found) => dag = Some(found),
                    Err((reason, count)) => (dag_stopped, uncollected) = (Some(reason), count),
                }
            }
            Outcome::Solved(plan)
        }
        (Err(reason), upper) => Outcome::Bounded {
            lower: space.lower(),
            upper,
            reason,
        },
    };
    let statistics = space.statistics();
    let peaks = attempts.iter().map(|attempt| attempt.peak_bytes);
    SearchResult {
        outcome,
        statistics: Statistics {
            peak_bytes: peaks.fold(statistics.peak_bytes, usize::max),
            ..statistics
        },
        attempts,
        dag,
        dag_stopped,
        uncollected,
    }
}

/// Returns whether a sum of costs has reached the limits of 64 bits, where it stays: see
/// [`cost_range::check`](brigade_task::cost_range::check).
const fn is_saturated(cost: i64) -> bool {
    matches!(cost, i64::MIN | i64::MAX)
}

/// The DAG of all optimal plans, from a finished search; else what stopped it, and the number of
/// plans if that is known.
fn all_plans(
    space: &Space,
    start: Start,
    goals: &[u32],
    symmetries: Option<Arc<Symmetries>>,
    expander: &mut Expander,
) -> Result<PlanDag, (StopReason, Option<BigUint>)> {
    let task = space.task;
    let mut of_orbits = expander.plain().with_symmetries(symmetries.clone());
    let traced = trace::dag(space, &mut of_orbits, goals);
    let (mut dag, marks) = traced.map_err(|reason| (reason, None))?;
    let Some(symmetries) = symmetries else {
        return Ok(dag);
    };
    if space.options.up_to_symmetry {
        dag.is_up_to_symmetry = true;
        return Ok(dag);
    }
    let states = Space::new(task, start, space.options, space.control, space.measure);
    let unfolded = unfolding::unfold(space, &marks, states, start, expander, symmetries)
        .and_then(|states| trace::dag(&states, expander, &states.best_goals()));
    match unfolded {
        Ok((dag, _)) => Ok(dag),
        Err(reason) => Err((reason, Some(dag.count()))),
    }
}

/// The answer where there is nothing to search.
fn trivial(outcome: Outcome, options: &SearchOptions) -> SearchResult {
    let dag = (options.all && outcome.plan().is_some()).then(PlanDag::of_the_empty_plan);
    SearchResult {
        outcome,
        statistics: Statistics::default(),
        attempts: Vec::new(),
        dag,
        dag_stopped: None,
        uncollected: None,
    }
}
