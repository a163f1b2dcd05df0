//! Optimal plans of a task, the proof, and the DAG of all of them.
//!
//! [`solve`] runs a uniform-cost search over packed states (`engine`), or where that takes long A*
//! (`informed`) with distances in abstractions (`heuristic`): `expand` generates successors
//! half-step by half-step, `measure` says what an objective minimises and in which order nodes are
//! finished, `table` and `id_table` store states, `queue` the open ones, and `trace` leads back from
//! the ends to one plan, which `quiet` rids of idle motion, or to the [`PlanDag`] of all. [`validate`] replays a plan without any of
//! them; [`Distances`] answers for many states of one task, and [`LowerBounds`] with what
//! abstractions alone tell.
//!
//! What is minimised is a lexicographic vector of additive keys that always contains the makespan.
//! Each step costs one tick, so optimal plans visit no state twice, and there are finitely many,
//! even where a metric gives steps no cost. A plan ends at the first state in which the goal holds:
//! what could be gained by going on from there does not count.

mod cost_range;
pub mod dag;
mod distances;
mod engine;
mod expand;
mod heuristic;
mod id_table;
mod informed;
mod lower_bounds;
mod measure;
mod options;
mod queue;
mod quiet;
mod result;
mod table;
mod trace;
mod validate;

pub use distances::Distances;
pub use engine::Start;
pub use lower_bounds::LowerBounds;
pub use options::{Control, HeuristicChoice, Objective, SearchOptions, StopReason, Unlimited};
pub use result::{Outcome, Plan, PlanStep, Progress, SearchResult, Statistics, Value};
pub use validate::{Invalid, validate};

use crate::task::Task;
use dag::{Node, PlanDag};
use engine::{Space, Standing, standing};
use expand::{Expander, halves};
use heuristic::{Abstractions, Estimate, Heuristic};
use informed::Informed;
use measure::Measure;

/// A search that stores no more states than this is not worth a heuristic.
const STATES_WITHOUT_HEURISTIC: u64 = 250_000;

/// Finds an optimal plan of a task from its initial state.
///
/// The answer is exact: [`Outcome::Solved`] and [`Outcome::Unsolvable`] are proven. It depends on
/// the task and the options only, not on `control`, unless that stops the search.
pub fn solve(task: &Task, options: &SearchOptions, control: &dyn Control) -> SearchResult {
    solve_from(task, Start::initial(task), options, control)
}

/// Finds an optimal plan from any state, in the middle of an episode say. Its ticks and its value
/// count from there.
pub fn solve_from(
    task: &Task,
    start: Start,
    options: &SearchOptions,
    control: &dyn Control,
) -> SearchResult {
    let first = start.agent.min(halves(task) - 1);
    if first == 0 {
        let outcome = match standing(task, start.state) {
            Standing::Open => None,
            Standing::Final => Some(Outcome::Solved(Plan::default())),
            Standing::Dead => Some(Outcome::Unsolvable),
        };
        if let Some(outcome) = outcome {
            return trivial(outcome, options);
        }
    }
    let measure = Measure::new(task, options.objective);
    let mut expander = Expander::new(task);
    let Exploration {
        space,
        explored,
        earlier,
    } = explore(task, start, options, control, measure, &mut expander);
    let goals = space.best_goals();
    let found = goals
        .first()
        .map(|&goal| trace::plan(&space, &mut expander, first, goal));
    let plans = earlier.into_iter().chain(found);
    let plan = plans
        .min_by_key(|plan| measure.keys(plan.value))
        .map(|plan| quiet::quieten(task, start, plan));
    let mut dag = None;
    let mut dag_stopped = None;
    let outcome = match (explored, plan) {
        (Ok(()), None) => Outcome::Unsolvable,
        (Ok(()), Some(plan)) => {
            if options.all {
                match trace::dag(&space, &mut expander, &goals) {
                    Ok(found) => dag = Some(found),
                    Err(reason) => dag_stopped = Some(reason),
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
    SearchResult {
        outcome,
        statistics: space.statistics(),
        dag,
        dag_stopped,
    }
}

/// How far the answer is known.
struct Exploration<'a> {
    space: Space<'a>,
    /// Whether all was explored that matters.
    explored: Result<(), StopReason>,
    /// The best plan of a search that was given up before.
    earlier: Option<Plan>,
}

impl<'a> Exploration<'a> {
    const fn new(space: Space<'a>, explored: Result<(), StopReason>) -> Self {
        Self {
            space,
            explored,
            earlier: None,
        }
    }
}

/// Explores as far as the answer needs.
fn explore<'a>(
    task: &'a Task,
    start: Start,
    options: &'a SearchOptions,
    control: &'a dyn Control,
    measure: Measure,
    expander: &mut Expander,
) -> Exploration<'a> {
    let may_inform = start.agent == 0 && Abstractions::apply_to(task, measure);
    let blind_states = match options.heuristic {
        HeuristicChoice::Projections if may_inform => Some(0),
        HeuristicChoice::Auto if may_inform => Some(STATES_WITHOUT_HEURISTIC),
        _ => None,
    };
    let mut bound = Estimate::ZERO;
    let mut earlier = None;
    let mut work = (0, 0);
    if let Some(most) = blind_states {
        if most > 0 {
            let mut space = Space::new(task, start, options, control, measure);
            space.most_states = most;
            let explored = space.explore(expander);
            let is_answer = explored != Err(StopReason::States)
                || options
                    .max_states
                    .is_some_and(|most| space.states() >= most);
            if is_answer {
                return Exploration::new(space, explored);
            }
            bound = space.bound();
            let first = start.agent.min(halves(task) - 1);
            let goal = space.best_goals().first().copied();
            earlier = goal.map(|goal| trace::plan(&space, expander, first, goal));
            work = (space.expanded, space.generated);
        }
        let memory_limit = options.memory_limit;
        let mut heuristic = Abstractions::new(task, start.state, measure, memory_limit, control);
        if heuristic.estimate(start.state) != Estimate::ZERO {
            let mut space = Space::new(task, start, options, control, measure);
            space.prove(bound);
            (space.expanded, space.generated) = work;
            let explored = Informed::new(&mut space, &mut heuristic).explore(expander);
            return Exploration {
                earlier,
                ..Exploration::new(space, explored)
            };
        }
    }
    let mut space = Space::new(task, start, options, control, measure);
    space.prove(bound);
    (space.expanded, space.generated) = work;
    let explored = space.explore(expander);
    Exploration {
        earlier,
        ..Exploration::new(space, explored)
    }
}

/// The answer where there is nothing to search.
fn trivial(outcome: Outcome, options: &SearchOptions) -> SearchResult {
    let dag = (options.all && outcome.plan().is_some()).then(|| PlanDag {
        nodes: vec![Node {
            tick: 0,
            agent: 0,
            is_final: true,
        }],
        edges: Vec::new(),
        first_edge: vec![0, 0],
    });
    SearchResult {
        outcome,
        statistics: Statistics::default(),
        dag,
        dag_stopped: None,
    }
}
